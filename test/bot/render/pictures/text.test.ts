import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { element, page, pngOf, text } from '../../../../src/bot/render/pictures/svg.ts';
import {
  cutToWidth,
  drawable,
  FONT_FAMILY,
  FONT_FILES,
  textWidth,
  type Weight,
  wrap,
} from '../../../../src/bot/render/pictures/text.ts';

function drawnWidth(content: string, weight: Weight): number {
  const svg = page(2000, 60, 'x', text(content, { x: 50, y: 40, size: 20, weight }));
  const alone = svg.replace(/<rect[^>]*>/u, '');
  const font = { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY };
  return new Resvg(alone, { font }).getBBox()?.width ?? 0;
}

describe('what a text measures', () => {
  it.each<[string, Weight]>([
    ['Connection-pool exhaustion at payments', 600],
    ['payments-db.connections.used: 120 → 3,400', 400],
    ['Größe über 5 µs — Задержка λ', 400],
    ['WWWWWW mmmmmm iiiiii', 600],
  ])('is what is drawn: %s', (content, weight) => {
    const drawn = drawnWidth(content, weight);
    expect(Math.abs(textWidth(content, 20, weight) - drawn) / drawn).toBeLessThan(0.03);
  });
});

describe('what the font can draw', () => {
  it.each([
    ['数据库 timeout 🔥🔥 on 服务器', '□ timeout □ on □'],
    ['ＡＢＣ e\u0301 ﬁle', 'ABC é file'],
    ['\u202eevil\u202c \u0007bell\u200b zero\u00adwidth', 'evil bell zerowidth'],
    ['two\nlines\tand  spaces', 'two lines and spaces'],
    ['half \ud83d', 'half □'],
    ['🔥 🔥 🔥', '□'],
    ['logs `KeyError: a` in `b`, 5` long', 'logs KeyError: a in b, 5` long'],
  ])('%j becomes %j', (given, expected) => {
    expect(drawable(given, 100)).toBe(expected);
  });

  it('is cut at a word', () => {
    expect(drawable('one two three four five', 15)).toBe('one two three…');
  });
});

describe('wrapped text', () => {
  const setting = { size: 16, weight: 600, width: 150, maxLines: 3 } as const;

  it('breaks at spaces, and a long name after a separator', () => {
    expect(wrap('Errors of payments-db.connections.used', setting)).toEqual([
      'Errors of',
      'payments-db.',
      'connections.used',
    ]);
  });

  it('ends with … at a word where there are not enough lines', () => {
    expect(
      wrap('one two three four five six seven eight nine ten eleven', { ...setting, maxLines: 2 }),
    ).toEqual(['one two three four', 'five six seven…']);
  });

  it('is never wider than its room, and loses nothing where it has lines enough', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 30, max: 400 }),
        (given, width) => {
          const shown = drawable(given, 1000);
          const lines = wrap(shown, { size: 14, weight: 400, width, maxLines: 500 });
          for (const line of lines) expect(textWidth(line, 14)).toBeLessThanOrEqual(width);
          expect(lines.join('').replaceAll(' ', '')).toBe(shown.replaceAll(' ', ''));
          expect(textWidth(cutToWidth(shown, width, 14), 14)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe('SVG', () => {
  it('escapes text and attributes, and leaves off what XML forbids', () => {
    expect(element('a', { b: `<"'&>\u0000`, n: 1.23456, gone: undefined })).toBe(
      '<a b="&lt;&quot;&#39;&amp;&gt;" n="1.23"/>',
    );
    expect(text('</text><script>\u0001\uffff', { x: 1, y: 2, size: 3 })).toBe(
      '<text x="1" y="2" font-size="3" fill="#1d1c1d">&lt;/text&gt;&lt;script&gt;</text>',
    );
  });
});

describe('a PNG', () => {
  const picture = { svg: page(100, 50, 'x'), width: 100, height: 50, alt: 'x', title: 'Picture' };
  const widthOf = (png: Uint8Array) => Buffer.from(png).readUInt32BE(16);

  it('is twice as large, less where it would have too many bytes, and none where that is not enough', () => {
    const whole = pngOf(picture);
    expect(widthOf(whole)).toBe(200);
    expect(widthOf(pngOf(picture, whole.byteLength - 1))).toBe(100);
    expect(() => pngOf(picture, 10)).toThrow('“Picture” (100 × 50) is too large for a picture.');
  });
});
