const SYNONYMS: Record<string, string> = {
  prod: 'production',
  prd: 'production',
  live: 'production',
  stage: 'staging',
  stg: 'staging',
  dev: 'development',
};

/** Canonical name of an environment: `prod` and `production` are the same (DESIGN section 4, *Filing*). */
export function canonicalEnvironment(stated: string): string {
  const name = stated.trim();
  const lower = name.toLowerCase();
  return Object.hasOwn(SYNONYMS, lower) ? (SYNONYMS[lower] ?? name) : lower === 'production' ? lower : name;
}

/** Two alerts are the same problem if their fingerprint and environment are equal. */
export function identityOf(fingerprint: string, environment: string): string {
  return `${fingerprint}@${canonicalEnvironment(environment).toLowerCase()}`;
}
