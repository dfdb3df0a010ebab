import { type Rendered, section } from './rendered.ts';

/** A message of ours is missing, or stands still, since what was kept of it is damaged. */
export function renderUnreadable(): Rendered {
  const text =
    '⚠️ I cannot read what I had stored for a message here, so it is missing, or does not change any more. ' +
    '`/issue list` shows how the issues stand. *To mend it:* whoever runs me sees with `npm run doctor` what is damaged.';
  return { text, blocks: [section(text)] };
}
