/** A picture that is not drawn yet. Sizes in CSS pixels; `alt` says in words what is shown. */
export interface Picture {
  /** A whole SVG document, in the fonts of `font.ts`. */
  svg: string;
  width: number;
  height: number;
  /** Untrusted text, at most 1,000 characters; not escaped for Slack yet. */
  alt: string;
  /** What the file is called; untrusted text, on one line. */
  title: string;
}

/** How wide a picture is that needs no more: about what Slack shows beside a sidebar. */
export const PAGE_WIDTH = 720;

/** The longest alt text; Slack takes 2,000 characters, listeners fewer. */
export const MAX_ALT = 1000;
