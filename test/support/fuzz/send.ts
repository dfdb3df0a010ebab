import { createHmac } from 'node:crypto';
import type { Chance } from '../chaos/random.ts';
import { LONGEST_WAIT_MS } from '../longest-wait.ts';
import { mutated } from './mutate.ts';
import { encode, type Payload } from './payload.ts';

/** What is not answered by then hangs: no machine is that slow. */
const HANGS_MS = LONGEST_WAIT_MS;
const LARGEST = 4 * 2 ** 20;
const MEMBERS = ['U0ALICE001', 'U0BOB00001', 'U0CAROL001'];

/** One request, as the program will get it. */
export interface Shot {
  name: string;
  type: string;
  body: Buffer;
}

/** A payload that is not quite as Slack sends it. */
export function shotFrom(payloads: ReadonlyMap<string, readonly Payload[]>, n: number, chance: Chance): Shot {
  const name = chance.one([...payloads.keys()]) ?? '';
  const payload = chance.one(payloads.get(name) ?? []);
  if (!payload) throw new Error('there is nothing to send');
  const { form } = payload;
  const { type, body } = encode({ form, value: mutated(fresh(payload.value, n, chance), chance) });
  return { name, type, body: chance.is(0.03) ? spoilt(Buffer.from(body), chance) : Buffer.from(body) };
}

/** What was delivered before is known by its id, and would be left at once; one person may do only so much. */
function fresh(value: unknown, n: number, chance: Chance): unknown {
  const by = chance.one(MEMBERS) ?? '';
  const copy = JSON.parse(JSON.stringify(value).replaceAll('U0ALICE001', by));
  if ('event_id' in copy) copy.event_id = `EvFUZZ${n}`;
  if ('trigger_id' in copy) copy.trigger_id = `${n}.fuzz`;
  return copy;
}

function spoilt(body: Buffer, chance: Chance): Buffer {
  const at = chance.below(body.length + 1);
  if (chance.is(0.5)) return body.subarray(0, at);
  const copy = Buffer.from(body);
  for (let left = 8; left > 0; left -= 1) copy[chance.below(copy.length)] = chance.below(256);
  return copy;
}

/** Sends it, signed as Slack signs. @returns the status, or in words what was wrong with the answer */
export async function shoot(
  { type, body }: Shot,
  { url, secret, now }: { url: string; secret: string; now: number },
): Promise<number | string> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': type,
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      },
      body,
      signal: AbortSignal.timeout(HANGS_MS),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    // What is too large is refused before all of it was sent, and the connection ends there.
    if (body.length > LARGEST) return 413;
    return `no answer: ${error instanceof Error ? `${error.message} ${error.cause}` : error}`;
  }
}
