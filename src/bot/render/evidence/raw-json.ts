import type { Artifact } from '../../../contract/answers.ts';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { clean } from '../escape.ts';
import { kindName } from './index.ts';

/** A downloadable file; `title` is a single line. */
interface RawJson {
  name: string;
  title: string;
  bytes: Uint8Array;
}

const MAX_TITLE = 150;
const MAX_NAME = 60;

/** A piece of evidence exactly as the service sent it (contract 2.8). */
export function rawJsonOf(artifact: Artifact): RawJson {
  const kind = kindName(artifact.type) || 'evidence';
  const plain = `${kind}-${artifact.id ?? ''}`.replace(/[^A-Za-z0-9]+/gu, '-').slice(0, MAX_NAME);
  const about = cutAtWord(oneLine(clean(artifact.summary ?? '')), MAX_TITLE);
  return {
    name: `${plain.replace(/^-+|-+$/gu, '') || 'evidence'}.json`,
    title: about === '' ? 'Raw JSON' : `Raw JSON: ${about}`,
    bytes: new TextEncoder().encode(`${JSON.stringify(artifact, null, 2)}\n`),
  };
}
