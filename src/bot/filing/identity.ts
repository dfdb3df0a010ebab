const SYNONYMS: Record<string, string> = {
  prod: 'production',
  prd: 'production',
  live: 'production',
  stage: 'staging',
  stg: 'staging',
  dev: 'development',
};

/** One name for each environment: `prod` and `production` are one (DESIGN section 4, *Filing*). */
export function canonicalEnvironment(stated: string): string {
  const name = stated.trim();
  const lower = name.toLowerCase();
  return Object.hasOwn(SYNONYMS, lower) ? (SYNONYMS[lower] ?? name) : lower === 'production' ? lower : name;
}

/** What makes two alerts the same problem: the fingerprint and the environment. */
export function identityOf(fingerprint: string, environment: string): string {
  return `${fingerprint}@${canonicalEnvironment(environment).toLowerCase()}`;
}
