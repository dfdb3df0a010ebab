import { actionIds } from '../../../../src/bot/render/action-ids.ts';
import { addCreated, uuidOf } from '../../../support/issues.ts';
import { command } from './command.ts';
import { listening, responseAddress } from './listening.ts';

type Overrides = Parameters<typeof addCreated>[2];

/** Somebody writes `/issue …`, and presses the buttons under what it answers. */
export async function issuing(options: Parameters<typeof listening>[0] = {}) {
  const l = await listening(options);
  const { url, sent, bodies } = await responseAddress();
  const texts = () => sent.map(({ text }) => text);
  const newest = () => texts().at(-1);
  const issue = async (text: string, more: Record<string, string> = {}) => {
    await l.give(command('/issue', text, { response_url: url, ...more }));
    return newest();
  };
  /** An issue that we filed, and that the service has. */
  const filed = async (number: number, overrides: Overrides = {}) => {
    const id = `issue-${number}`;
    await addCreated(l.store, l.clock.now(), { id, identity: id, number, ...overrides });
    there(number, overrides?.status ?? 'investigating');
  };
  /** One that the service has. */
  const there = (number: number, status = 'investigating') => {
    l.service.issues.set(uuidOf(number), {
      uuid: uuidOf(number),
      number,
      status,
      title: `Trouble ${number}`,
      description: `Since lunch, trouble ${number}`,
      latestVersion: 2,
    });
  };
  const press = (name: keyof typeof actionIds, value: string) =>
    l.give({
      type: 'block_actions',
      team: { id: 'T1' },
      user: { id: 'U1' },
      channel: { id: 'C1' },
      trigger_id: '1.2.3',
      response_url: url,
      actions: [{ type: 'button', action_id: actionIds[name], block_id: 'b', value, action_ts: '1.0' }],
    });
  return { ...l, url, sent, bodies, texts, newest, issue, filed, there, press };
}
