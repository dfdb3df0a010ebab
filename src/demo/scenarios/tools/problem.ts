/** What an alert is about. */
export interface Problem {
  /** A service of the shop. */
  service: string;
  /** What people see of it: `High error rate`. */
  symptom: string;
  /** Six digits that no other problem has; every id in a message comes from it. */
  number: number;
}

/** The symptom as rules are named: `HighErrorRate`. */
export function ruleOf({ symptom }: Problem): string {
  return symptom.replaceAll(/[^a-z]+(\w)/giu, (_, letter: string) => letter.toUpperCase());
}
