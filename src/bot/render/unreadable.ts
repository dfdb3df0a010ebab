import { type Rendered, section } from './rendered.ts';

/** A message of ours is missing, or stands still, since what was kept of it is damaged. */
export function renderUnreadable(): Rendered {
  const text =
    '⚠️ I cannot read the data stored for a message here, so it is missing or no longer updated. ' +
    '`/issue list` shows the current issues. *Fix:* whoever operates me can run `npm run doctor` to see what is damaged.';
  return { text, blocks: [section(text)] };
}
