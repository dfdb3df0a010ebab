import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, projectFile, projectRoot } from '../../support/files.ts';

/** The methods of the Web API that unfurl the links in what they post, unless they are told not to. */
const UNFURLING = /\.chat\s*\.\s*(?:postMessage|scheduleMessage|meMessage)\s*\(/gu;
const CALL = /\.chat\s*\.\s*postMessage\s*\(\{[^;]*?\}\)/gu;

function sources(): string[] {
  const files = filesBelow(join(projectRoot, 'src'), (path) => /^(?:bot|tools)\/.*\.ts$/u.test(path));
  return files.map((path) => projectFile(`src/${path}`));
}

it('no message that Gumshoe posts unfurls a link: alerts and answers could leak what they quote', () => {
  const places = sources().flatMap((source) => source.match(UNFURLING) ?? []);
  const calls = sources().flatMap((source) => source.match(CALL) ?? []);
  expect(places).toHaveLength(1);
  expect(calls).toHaveLength(1);
  for (const call of calls) {
    expect(call).toContain('unfurl_links: false');
    expect(call).toContain('unfurl_media: false');
  }
});
