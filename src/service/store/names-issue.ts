export function namesIssue(issue: number): RegExp {
  return new RegExp(`(?:#|\\bissue\\s+(?:number\\s+)?)${issue}(?!\\d)`, 'iu');
}
