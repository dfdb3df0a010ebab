import { Resvg } from '@resvg/resvg-js';
import type { Picture } from './picture.ts';
import { FONT_FAMILY, FONT_FILES, type Weight } from './text.ts';

/** Attributes of an element; what is `undefined` is left off, numbers are rounded to hundredths. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

const MAX_PIXELS = 4096;
const ZOOM = 2;
/** Smaller than that, nobody can read it. */
const LEAST_ZOOM = 0.5;

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

/**
 * The picture as a PNG of at most 4,096 pixels a side, twice as large if it can be.
 * @throws if it would have to be so small that nobody could read it
 */
export function pngOf({ svg, width, height, title }: Picture, maxBytes = 2_000_000): Uint8Array {
  const largest = Math.min(ZOOM, MAX_PIXELS / Math.max(width, height));
  for (const zoom of [largest, largest / 2]) {
    if (zoom < LEAST_ZOOM) break;
    const drawn = new Resvg(svg, {
      fitTo: { mode: 'zoom', value: zoom },
      font: { loadSystemFonts: false, fontFiles: [...FONT_FILES], defaultFontFamily: FONT_FAMILY },
    });
    const png = new Uint8Array(drawn.render().asPng());
    if (png.byteLength <= maxBytes) return png;
  }
  throw new Error(`“${title}” (${width} × ${height}) is too large for a picture.`);
}

/** A number as it is in a path. */
export function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(value: string): string {
  return value.replace(ILLEGAL, '').replace(/[&<>"']/gu, (character) => ESCAPES[character] ?? character);
}

// Light paper and few, calm colors. Those that must be told apart differ in lightness too, and never alone:
// a shape, a dash or a word says the same.

export const PAPER = '#ffffff';
export const INK = '#1d1c1d';
/** Text that matters less; 5.9 : 1 on paper. */
export const FAINT = '#5d6167';
/** Lines that help the eye. */
export const GRID = '#e4e6ea';
export const LINE = '#9aa0a8';
/** The trigger of the alert. */
export const TRIGGER = '#a61b4b';
export const CHANGE = '#5b3fa0';

/** How a series is drawn. */
export interface SeriesStyle {
  colour: string;
  /** SVG's `stroke-dasharray`; `undefined` is a whole line. */
  dash: string | undefined;
}

/** Eight that can be told apart by people who see colors otherwise, and in black and white by their dashes. */
export const SERIES: readonly [SeriesStyle, ...SeriesStyle[]] = [
  { colour: '#0b62a4', dash: undefined },
  { colour: '#c75000', dash: '9 4' },
  { colour: '#007a5a', dash: '3 3' },
  { colour: '#8d3b8a', dash: '12 4 3 4' },
  { colour: '#7a5c00', dash: '6 3' },
  { colour: '#1d7aa8', dash: '2 4' },
  { colour: '#4a4a4a', dash: '14 4' },
  { colour: '#c2477f', dash: '6 3 2 3 2 3' },
];
