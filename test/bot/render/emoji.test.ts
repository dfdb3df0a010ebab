import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { emojiOf, withShortcodes } from 'local-slack';
import { expect, it } from 'vitest';
import { projectRoot } from '../../support/files.ts';

const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f/gu;

/** Every emoji in the texts of some folders. */
function emojiIn(...folders: string[]): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(projectRoot, folder, name), 'utf8')),
  );
  return [...new Set(files.flatMap((text) => text.match(EMOJI) ?? []))].sort();
}

it('each emoji that Gumshoe writes has a picture on the page, for machines without an emoji font', () => {
  const written = emojiIn('src/bot/render', 'src/bot/filing');
  expect(written).toContain('✋');
  const isKnown = (emoji: string) => emojiOf(withShortcodes(emoji).replaceAll(':', '')) !== null;
  expect(written.filter((emoji) => !isKnown(emoji))).toEqual([]);
  expect(isKnown('nothing')).toBe(false);
});
