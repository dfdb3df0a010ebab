import type { z } from 'zod';
import type { Budget } from './budget.ts';
import type { SourceAddress, SourceClient, SourceRequest } from './http.ts';
import { type Answer, known, unknown } from './model.ts';

/** Requests JSON of a given schema from a source; any failure becomes a reason that says what to do. */
export async function askJson<T>(
  { http, address }: { http: SourceClient; address: Pick<SourceAddress, 'title' | 'variable' | 'location'> },
  request: SourceRequest,
  schema: z.ZodType<T>,
  budget: Budget,
): Promise<Answer<T>> {
  const answer = await http.ask(request, budget);
  if (!answer.ok) return unknown(answer.reason);
  const at = `${address.title} at ${http.base}`;
  const json = parseJson(answer.text);
  if (json === undefined)
    return unknown(
      `${at} answered with something other than JSON, or cut it short: check that ${address.location ?? `${address.variable}_URL`} leads to ${address.title} itself, not to a login page.`,
    );
  const parsed = schema.safeParse(json);
  return parsed.success
    ? known(parsed.data)
    : unknown(`${at} answered in a form that ${address.title} does not have.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
