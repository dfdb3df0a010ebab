import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with each secret under its plain name, and the problems with the files. */
export interface WithSecrets {
  env: Environment;
  /** One line each, without any file's contents. */
  problems: string[];
}

const SUFFIX = '_FILE';

/**
 * Reads the files that `<NAME>_FILE` names for secrets `<NAME>`, as Docker and Kubernetes mount them. Surrounding white
 * space, such as a final newline, is removed.
 *
 * @param isSecret whether a variable is one of the secrets that the program reads
 */
export function readSecretFiles(env: Environment, isSecret: (name: string) => boolean): WithSecrets {
  const read: Record<string, string | undefined> = { ...env };
  const problems: string[] = [];
  for (const [variable, value] of Object.entries(env)) {
    const name = variable.slice(0, -SUFFIX.length);
    const path = value?.trim() ?? '';
    if (!variable.endsWith(SUFFIX) || path === '' || !isSecret(name)) continue;
    delete read[variable];
    if (env[name]?.trim()) {
      problems.push(`${name} and ${variable} are both set: remove one of them`);
      continue;
    }
    const found = readSecret(path);
    if ('secret' in found) read[name] = found.secret;
    else problems.push(`${variable} must name a file that holds the secret: ${found.wrong}`);
  }
  return { env: read, problems };
}

function readSecret(path: string): { secret: string } | { wrong: string } {
  // It may be the secret itself, put there by mistake: do not repeat it.
  const shown = /^\.{0,2}\//u.test(path)
    ? path
    : 'the file (a path with a slash is easier to tell from a secret)';
  try {
    const secret = readFileSync(path, 'utf8').trim();
    return secret === '' ? { wrong: `${shown} is empty` } : { secret };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { wrong: `${shown} cannot be read (${code})` };
  }
}
