import { buffer } from 'node:stream/consumers';
import type { Chance } from '../chaos/random.ts';
import { patientServer } from '../patient-server.ts';
import { mutated } from './mutate.ts';
import { toJson } from './payload.ts';

/** Stands before the service, and mutates what it answers for as long as it is told to. */
export interface MutatedService {
  /** The base address, with `/api/v2`. */
  url: string;
  isMutating: boolean;
  /** How many answers were not as the service gave them. */
  mutated: number;
  close(): Promise<void>;
}

const HOW_OFTEN = 0.4;

export async function startMutatedService(target: string, chance: Chance): Promise<MutatedService> {
  const base = new URL(target);
  const server = patientServer(async (request, response) => {
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const sent = Object.entries(headers).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    );
    const body = await buffer(request);
    try {
      const answer = await fetch(new URL(request.url ?? '/', base), {
        method: request.method ?? 'GET',
        headers: Object.fromEntries(sent),
        ...(body.length > 0 ? { body } : {}),
      });
      const type = answer.headers.get('content-type') ?? 'application/json';
      const text = await answer.text();
      const isMutated = self.isMutating && text !== '' && chance.is(HOW_OFTEN);
      if (isMutated) self.mutated += 1;
      response.writeHead(answer.status, { 'content-type': type });
      if (!isMutated) response.end(text);
      else
        response.end(type.includes('event-stream') ? mutatedStream(text, chance) : mutatedJson(text, chance));
    } catch {
      response.writeHead(502).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const self: MutatedService = {
    url: `http://127.0.0.1:${port}${base.pathname}`,
    isMutating: true,
    mutated: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return self;
}

function mutatedJson(text: string, chance: Chance): string {
  const json = toJson(mutated(JSON.parse(text), chance));
  return chance.is(0.1) ? json.slice(0, chance.below(json.length)) : json;
}

/** Events of a stream that are mutated, left out, said twice, in another order, or no events at all. */
function mutatedStream(text: string, chance: Chance): string {
  const events = text.split('\n\n').flatMap((event) => {
    if (chance.is(0.1)) return [];
    if (chance.is(0.1)) return [event, event];
    if (chance.is(0.1)) return [`data: ${'x'.repeat(100_000)}`];
    if (chance.is(0.1)) return ['event: \u0000\nid: \nretry: -1', ': nothing', 'data'];
    if (chance.is(0.3))
      return [event.replace(/^data: (.*)$/mu, (_line, data) => `data: ${mutatedData(data, chance)}`)];
    return [event];
  });
  if (chance.is(0.2)) events.reverse();
  const whole = events.join(chance.is(0.1) ? '\r\r' : '\n\n');
  return chance.is(0.3) ? whole.slice(0, chance.below(whole.length)) : whole;
}

function mutatedData(data: string, chance: Chance): string {
  try {
    return mutatedJson(data, chance);
  } catch {
    return '{';
  }
}
