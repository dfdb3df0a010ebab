import { text } from 'node:stream/consumers';
import type { ModelSettings } from '../../src/service/model/settings.ts';
import { patientServer } from './patient-server.ts';
import { type ModelRequest, type ScriptedTurn, scriptedModel } from './scripted-model.ts';

/** A model's server on a port of this machine, on either wire; what it answers is the test's to say. */
export async function startModelServer(
  api: ModelSettings['api'],
  script: (request: ModelRequest, turn: number) => ScriptedTurn,
) {
  const scripted = scriptedModel(api, script);
  const server = patientServer(async (incoming, response) => {
    const answer = await scripted.fetch(`http://model${incoming.url}`, { body: await text(incoming) });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/v1`,
    requests: scripted.requests,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
