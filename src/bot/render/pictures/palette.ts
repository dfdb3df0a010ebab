// Light paper and few, calm colours. Those that must be told apart differ in lightness too, and never alone:
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

/** How a series is drawn. */
export interface SeriesStyle {
  colour: string;
  /** SVG's `stroke-dasharray`; `undefined` is a whole line. */
  dash: string | undefined;
}

/** Eight that can be told apart by people who see colours otherwise, and in black and white by their dashes. */
export const SERIES: readonly [SeriesStyle, ...SeriesStyle[]] = [
  { colour: '#0b62a4', dash: undefined },
  { colour: '#c75000', dash: '9 4' },
  { colour: '#007a5a', dash: '3 3' },
  { colour: '#8d3b8a', dash: '12 4 3 4' },
  { colour: '#7a5c00', dash: '6 3' },
  { colour: '#2b8cbe', dash: '2 4' },
  { colour: '#4a4a4a', dash: '14 4' },
  { colour: '#c2477f', dash: '6 3 2 3 2 3' },
];
