import type { ImageBlock } from '@slack/types';
import { clean } from '../escape.ts';

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
