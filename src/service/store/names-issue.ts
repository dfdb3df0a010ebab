/** Where a text names an issue by its number. */
export function namesIssue(issue: number): RegExp {
  return new RegExp(`(?:#|\\bissue\\s+(?:number\\s+)?)${issue}(?!\\d)`, 'iu');
}
