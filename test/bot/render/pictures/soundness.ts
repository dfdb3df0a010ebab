import { Resvg } from '@resvg/resvg-js';
import type { Picture } from '../../../../src/bot/render/pictures/picture.ts';
import { FONT_FAMILY, FONT_FILES } from '../../../../src/bot/render/pictures/text.ts';

/** Half a pixel of a line's width, and what the font draws beside its advance. */
const TOLERANCE = 3;

/**
 * What is wrong with a picture: SVG that a strict XML parser refuses, numbers that are none, text that is too small, an alt text that is empty
 * or too long, or anything (texts as they are really set) that reaches beyond the page.
 */
export function problemsOf({ svg, width, height, alt, title }: Picture): string[] {
  const problems: string[] = [];
  if (/\b(?:NaN|Infinity|undefined)\b/u.test(svg.replace(/>[^<]*</gu, '><')))
    problems.push('a number is none');
  for (const [, size] of svg.matchAll(/font-size="([\d.]+)"/gu))
    if (Number(size) < 13) problems.push(`a text is ${size} pixels high`);
  if (alt === '' || alt.length > 1000) problems.push(`the alt text has ${alt.length} characters`);
  if (title === '' || title.includes('\n')) problems.push(`the title is “${title}”`);
  try {
    const box = new Resvg(svg, {
      font: { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
    }).innerBBox();
    if (!box) problems.push('nothing is drawn');
    else if (
      box.x < -TOLERANCE ||
      box.y < -TOLERANCE ||
      box.x + box.width > width + TOLERANCE ||
      box.y + box.height > height + TOLERANCE
    )
      problems.push(`${box.x},${box.y} ${box.width}×${box.height} is drawn on a page of ${width}×${height}`);
  } catch (error) {
    problems.push(String(error));
  }
  return problems;
}
