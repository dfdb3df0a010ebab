import { checkModal } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { type SettingsModal, settingsModal } from '../../../../src/bot/render/settings/settings-modal.ts';
import { unwatchModal } from '../../../../src/bot/render/settings/unwatch-modal.ts';

const modal: SettingsModal = {
  channel: 'C1',
  watched: true,
  form: {
    mode: 'automatic',
    people: true,
    include: 'checkout\n/5\\d\\d/',
    exclude: '',
    minimumSeverity: 'low',
    environment: 'staging',
    defaultSeverity: 'medium',
    onRecovery: 'resolve',
    budgetIssues: '10',
    budgetMinutes: '20',
    coolDownMinutes: '30',
    recoveryMinutes: '2',
    broadcast: false,
  },
  notes: { include: ['“<!channel> *a*” matches 1 of the last 2 messages here.'], exclude: [] },
  defaultEnvironment: 'production',
  metadata: '{}',
};

const sent = (view: object) => checkModal(JSON.parse(JSON.stringify(view)));

/** The fields by name, with what each holds at first. */
function filled(view: ReturnType<typeof settingsModal>) {
  const inputs = view.blocks.flatMap((block) => ('element' in block ? [block] : []));
  return Object.fromEntries(
    inputs.map(({ block_id, element }) => {
      if ('initial_value' in element) return [block_id, element.initial_value];
      if ('initial_option' in element && typeof element.initial_option === 'object') {
        return [block_id, element.initial_option.value];
      }
      return [block_id, 'initial_options' in element ? 'ticked' : null];
    }),
  );
}

describe('the settings’ modal', () => {
  it('is accepted by Slack, with everything that is set', () => {
    const view = settingsModal(modal);
    expect(() => sent(view)).not.toThrow();
    expect(filled(view)).toEqual({
      mode: 'automatic',
      people: 'ticked',
      include: 'checkout\n/5\\d\\d/',
      exclude: null,
      minimumSeverity: 'low',
      environment: 'staging',
      defaultSeverity: 'medium',
      onRecovery: 'resolve',
      budgetIssues: '10',
      budgetMinutes: '20',
      coolDownMinutes: '30',
      recoveryMinutes: '2',
      broadcast: null,
    });
  });

  it('hears of each character that is typed in a pattern, and of nothing else', () => {
    const dispatching = settingsModal(modal).blocks.filter((block) => 'dispatch_action' in block);
    expect(dispatching.map(({ block_id }) => block_id)).toEqual(['include', 'exclude']);
  });

  it('shows under the field what was found, exactly as it was typed', () => {
    const { blocks } = settingsModal(modal);
    const at = blocks.findIndex(({ block_id }) => block_id === 'include');
    expect(blocks[at + 1]).toEqual({
      type: 'context',
      elements: [
        { type: 'plain_text', text: '“<!channel> *a*” matches 1 of the last 2 messages here.', emoji: false },
      ],
    });
    expect(blocks[at + 2]).toMatchObject({ block_id: 'exclude' });
  });

  it('of a channel that is not watched yet watches it', () => {
    const { title, submit } = settingsModal({ ...modal, watched: false });
    expect([title.text, submit?.text]).toEqual(['Watch this channel', 'Watch']);
  });
});

it('the window that asks before a channel is watched no longer is accepted by Slack', () => {
  const view = unwatchModal('C1');
  expect(sent(view)).toMatchObject({
    callback_id: 'settings:unwatch',
    submit: { text: 'Stop watching' },
    private_metadata: 'C1',
  });
});
