import { expect, test } from 'vitest';
import { boltOn, testWorkspace, until } from '../testing/index.ts';

// Bolt waits some seconds of the machine before it connects again.

test('after a disconnect the app comes back by itself and goes on hearing', async () => {
  const workspace = await testWorkspace();
  const texts: string[] = [];
  const bolt = await boltOn(workspace, (app) => {
    app.message(async ({ message }) => {
      texts.push('text' in message ? (message.text ?? '') : '');
    });
  });
  let isBack = false;
  Object(bolt).receiver.client.on('connected', () => {
    isBack = true;
  });
  workspace.disconnectSockets('drop');
  await until(() => isBack && workspace.online());

  await workspace.post({ channel: 'general', user: 'U0ALICE001', text: 'still there?' });

  expect(await until(() => texts.includes('still there?'))).toBe(true);
});
