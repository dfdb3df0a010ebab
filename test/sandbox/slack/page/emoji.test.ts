import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withShortcodes } from '../../../../src/sandbox/slack/page/model/emoji.ts';
import { projectFile, projectRoot } from '../../../support/files.ts';

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

/** The shortcodes that have a picture. The page has a compiler of its own, so that its components are read as text. */
function drawn(): Set<string> {
  const text = projectFile('src/sandbox/slack/page/ui/emoji-pictures.tsx');
  return new Set(Array.from(text.matchAll(/^ {2}'?([\w+-]+)'?: /gmu), ([, name = '']) => name));
}

it('each emoji that Gumshoe writes has a picture on the page, for machines without an emoji font', () => {
  const written = emojiIn('src/bot/render', 'src/bot/filing');
  expect(written).toContain('✋');
  const pictures = drawn();
  const isDrawn = (emoji: string) => pictures.has(withShortcodes(emoji).replaceAll(':', ''));
  expect(written.filter((emoji) => !isDrawn(emoji))).toEqual([]);
  expect(isDrawn('🐌')).toBe(false);
});
