import { FONT_FAMILY, type Weight } from './font.ts';
import { INK, PAPER } from './palette.ts';

/** Attributes of an element; what is `undefined` is left off, numbers are rounded to hundredths. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// What XML 1.0 does not allow, not even as a reference.
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** An element; attribute values are escaped, `children` are SVG already. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? number(value) : escaped(value ?? '')}"`)
    .join('');
  const inner = children.join('');
  return inner === '' ? `<${name}${written}/>` : `<${name}${written}>${inner}</${name}>`;
}

/** One line of text, which is escaped here; `y` is its base line. */
export function text(
  content: string,
  at: { x: number; y: number; size: number; weight?: Weight; fill?: string; anchor?: 'middle' | 'end' },
): string {
  if (content === '') return '';
  const { x, y, size, weight = 400, fill = INK, anchor } = at;
  return element(
    'text',
    {
      x,
      y,
      'font-size': size,
      'font-weight': weight === 400 ? undefined : weight,
      fill,
      'text-anchor': anchor,
    },
    escaped(content),
  );
}

/** A whole document on light paper. */
export function page(width: number, height: number, title: string, ...children: string[]): string {
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${number(width)} ${number(height)}`,
      'font-family': FONT_FAMILY,
    },
    `\n${element('title', {}, escaped(title))}\n`,
    `${element('rect', { width, height, fill: PAPER })}\n`,
    ...children.filter((child) => child !== '').map((child) => `${child}\n`),
  )}\n`;
}

/** A number as it is in a path. */
export function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(value: string): string {
  return value.replace(ILLEGAL, '').replace(/[&<>"']/gu, (character) => ESCAPES[character] ?? character);
}
