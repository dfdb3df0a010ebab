import type { Alertmanager } from '../config.ts';

/** How the Alertmanager is told who asks; empty if it does not want to know. */
export function alertmanagerHeaders({
  token,
  user,
  password,
}: Pick<Alertmanager, 'token' | 'user' | 'password'>): Record<string, string> {
  if (token !== null) return { authorization: `Bearer ${token}` };
  if (user === null) return {};
  return { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` };
}
