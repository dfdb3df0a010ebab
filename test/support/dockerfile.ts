/** One instruction: its name in capitals, and the rest on one line. */
export interface Instruction {
  name: string;
  rest: string;
}

export interface Stage {
  image: string;
  name: string | null;
  instructions: Instruction[];
}

/** Reads a Dockerfile: comments dropped, continued lines joined, one entry for each `FROM`. */
export function readDockerfile(text: string): Stage[] {
  const whole = text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replace(/\\\n\s*/g, ' ');
  const stages: Stage[] = [];
  for (const line of whole.split('\n').filter((one) => one.trim() !== '')) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    const from = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest);
    if (name === 'FROM') stages.push({ image: from?.[1] ?? '', name: from?.[2] ?? null, instructions: [] });
    else if (name !== '' || stages.length > 0) stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

/** `A=1 B="two words"` as a record. */
export function pairsIn(rest: string): Record<string, string> {
  const pairs = [...rest.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S+))/g)];
  return Object.fromEntries(pairs.map(([, key = '', quoted, plain]) => [key, quoted ?? plain ?? '']));
}

/**
 * Whether a `.dockerignore` leaves a path (a file's) out of the context: the last line that matches the path, or a
 * folder above it, decides. Only what ours uses is known: `*`, plain paths, `!`.
 */
export function isIgnored(dockerignore: string, path: string): boolean {
  let ignored = false;
  for (const line of dockerignore.split('\n').map((one) => one.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const pattern = line.replace(/^!/, '');
    if (pattern === '*' || path === pattern || path.startsWith(`${pattern}/`))
      ignored = !line.startsWith('!');
  }
  return ignored;
}
