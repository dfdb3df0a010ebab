import type { ImageBlock } from '@slack/types';
import { z } from 'zod';
import type { InvestigationResults } from '../../../contract/answers.ts';
import { clean } from '../escape.ts';

/** A picture as SVG. Sizes in CSS pixels. */
export const Picture = z.object({
  /** A whole document, in our own fonts. */
  svg: z.string(),
  width: z.number(),
  height: z.number(),
  /** What is shown, in words: untrusted text, at most 1,000 characters; not escaped for Slack yet. */
  alt: z.string(),
  /** What it is called; untrusted text, on one line. */
  title: z.string(),
});
export type Picture = z.infer<typeof Picture>;

/** How wide a picture is that needs no more: about what Slack shows beside a sidebar. */
export const PAGE_WIDTH = 720;

/** The longest alt text; Slack takes 2,000 characters, listeners fewer. */
export const MAX_ALT = 1000;

/** A picture that Slack has and can show. */
export interface PictureView {
  fileId: string;
  /** What is shown, in words; untrusted. */
  alt: string;
}

/** A picture in a message or modal. */
export function pictureBlock({ fileId, alt }: PictureView): ImageBlock {
  const shown = clean(alt).trim().replaceAll('<', '‹').replaceAll('>', '›');
  return { type: 'image', slack_file: { id: fileId }, alt_text: shown || 'A picture' };
}

/** A deploy or another change that a chart marks; `title` is untrusted. */
export interface ChartedChange {
  /** Milliseconds since the epoch. */
  at: number;
  title: string;
}

export function changesIn({ timeline = [] }: Pick<InvestigationResults, 'timeline'>): ChartedChange[] {
  return timeline.flatMap(({ type, title = '', timestamp }) => {
    const at = Date.parse(timestamp ?? '');
    return /change|deploy|config|release|flag/iu.test(type ?? '') && !Number.isNaN(at) ? [{ at, title }] : [];
  });
}
