import { describe, expect, it } from 'vitest';
import { type DigestModal, digestModal } from '../../../../src/bot/render/digest/digest-modal.ts';

const modal: DigestModal = {
  channel: 'C1',
  form: { days: '15', time: '17:30', zone: 'Europe/Berlin', hygiene: false },
  zones: { own: 'Europe/Berlin', set: 'Europe/Berlin' },
  nextAt: Date.parse('2026-11-20T16:30:00Z'),
  sent: false,
  metadata: '{"channel":"C1"}',
};

const named = (view: ReturnType<typeof digestModal>, name: string) =>
  view.blocks.find(({ block_id }) => block_id === name);

describe('the window of a digest', () => {
  it('holds what is set, and says when the next one comes', () => {
    const view = digestModal(modal);
    expect(view).toMatchObject({
      callback_id: 'digest:save',
      title: { text: 'Digest' },
      submit: { text: 'Save' },
      private_metadata: '{"channel":"C1"}',
    });
    expect(JSON.stringify(view)).toContain(
      'Next one: <!date^1795192200^{time} {date_short_pretty}|2026-11-20 16:30 UTC>.',
    );
    expect(named(view, 'days')).toMatchObject({
      optional: true,
      element: { initial_options: [{ text: { text: 'Monday' } }, { text: { text: 'Friday' } }] },
    });
    expect(named(view, 'time')).toMatchObject({ element: { type: 'timepicker', initial_time: '17:30' } });
    expect(named(view, 'now')).toMatchObject({ elements: [{ action_id: 'digest:send-now', value: 'C1' }] });
    expect(named(view, 'zone')).toBe(undefined);
  });

  it('without one says so, and ticks no day where none is chosen', () => {
    const none = { ...modal, nextAt: null, form: { ...modal.form, days: '' }, sent: true };
    const view = digestModal(none);
    expect(JSON.stringify(view)).toContain('No digest is scheduled.');
    expect(JSON.stringify(view)).toContain('On its way to the channel.');
    expect(named(view, 'days')).not.toHaveProperty('element.initial_options');
  });

  it('asks for the time zone where the one that is set is not the reader’s', () => {
    const view = digestModal({ ...modal, zones: { own: 'Asia/Tokyo', set: 'Europe/Berlin' } });
    expect(named(view, 'zone')).toMatchObject({
      element: {
        options: [
          { text: { text: 'Europe/Berlin (current setting)' } },
          { text: { text: 'Asia/Tokyo (yours)' } },
        ],
        initial_option: { value: 'Europe/Berlin' },
      },
    });
  });
});
