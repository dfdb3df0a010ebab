import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../../support/files.ts';

const SURFACE = /\b(?:Rendered|ModalView|HomeView|View|DryRunMessages)\b/u;
/** The tools that renderers are made of: they take what is already safe. */
const TOOLS = ['fitMessage', 'notice', 'fitModal', 'fitHome', 'simplerForms', 'withTable'];

/** The functions that `src/bot/render` exports and that make a message, a modal or a Home, in the order of the alphabet. */
export async function exportedRenderers(): Promise<string[]> {
  const folder = join(projectRoot, 'src/bot/render');
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const sources = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return sources
    .flatMap(renderersIn)
    .filter((name) => !TOOLS.includes(name))
    .toSorted();
}

/** Those of one source: by what they say they return, or by how they are named. */
export function renderersIn(source: string): string[] {
  const starts = source.matchAll(/^export (?:async )?(?:function (\w+)|const (\w+) = (?:async )?\()/gmu);
  return [...starts].flatMap((start) => {
    const name = start[1] ?? start[2] ?? '';
    const returns = returnType(source.slice(start.index));
    return SURFACE.test(returns) || /^render[A-Z]|Modal$/u.test(name) ? [name] : [];
  });
}

function returnType(source: string): string {
  let depth = 0;
  for (let at = source.indexOf('('); at < source.length; at += 1) {
    if (source[at] === '(') depth += 1;
    if (source[at] === ')') depth -= 1;
    if (depth === 0) return /^\):\s*((?:[^{=]|=(?!>))*)/u.exec(source.slice(at))?.[1] ?? '';
  }
  return '';
}
