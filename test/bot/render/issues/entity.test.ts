import fc from 'fast-check';
import { readEntity } from 'local-slack';
import { describe, expect, it } from 'vitest';
import { issueDetails, issueEntity } from '../../../../src/bot/render/issues/entity.ts';
import type { CardView } from '../../../../src/bot/render/views.ts';
import { anyCard } from '../../../support/arbitrary-views.ts';
import { cardView } from '../../../support/views.ts';

const about = {
  uuid: '00000000-0000-4000-8000-000000000012',
  url: 'https://acme.slack.com/archives/C1/p1000000',
  createdAt: Date.parse('2026-11-20T07:55:00Z'),
};
const entity = (more: Partial<CardView> = {}) => issueEntity(cardView(more), about).entity_payload;
const buttons = (more: Partial<CardView>) => entity(more).actions?.primary_actions?.map(({ text }) => text);

describe('the Work Object of an issue', () => {
  it('says what the card says, under an id that never changes', () => {
    expect(issueEntity(cardView(), about)).toEqual({
      entity_type: 'slack#/entities/incident',
      url: about.url,
      external_ref: { id: about.uuid },
      entity_payload: {
        attributes: {
          title: { text: 'Checkout answers 502' },
          display_type: 'Issue',
          display_id: '#12',
          product_name: 'Gumshoe',
          metadata_last_modified: 1_795_161_600,
        },
        fields: {
          status: { value: 'Investigating', tag_color: 'yellow' },
          service: { value: 'checkout' },
          date_created: { value: 1_795_161_300 },
          date_updated: { value: 1_795_161_600 },
        },
        custom_fields: [
          { key: 'severity', label: 'Severity', type: 'string', value: 'High', tag_color: 'red' },
          { key: 'environment', label: 'Environment', type: 'string', value: 'production' },
        ],
        display_order: ['status', 'severity', 'service', 'environment', 'date_created', 'date_updated'],
        actions: {
          primary_actions: [
            { text: 'Resolve', action_id: 'issue:resolve', value: 'issue-1', style: 'primary' },
            { text: 'Mute', action_id: 'issue:mute', value: 'issue-1' },
          ],
        },
      },
    });
  });

  it('offers what can be done with the issue as it stands', () => {
    expect(buttons({ status: 'ready_to_fix' })).toEqual(['Resolve', 'Mute']);
    expect(buttons({ status: 'muted' })).toEqual(['Resolve']);
    for (const status of ['resolved', 'failed', 'filing', 'deleted']) expect(buttons({ status })).toEqual([]);
    const attachedTo = { attachedTo: 7, attached: [], apartFrom: null, apart: [] };
    expect(buttons({ relations: attachedTo })).toEqual([]);
  });

  it('grows newer with everything that happens, so that Slack shows it anew', () => {
    const at = Date.parse('2026-11-20T09:00:00Z');
    const lastAction = { userId: 'U1', what: 'muted it', at };
    for (const more of [{ statusSince: at }, { lastRepeatAt: at }, { recoveredAt: at }, { lastAction }]) {
      expect(entity(more).attributes.metadata_last_modified).toBe(at / 1_000);
    }
  });

  it('says so where systems are simulated, and what is unknown as it is', () => {
    expect(entity({ simulated: true }).attributes.display_type).toBe('Issue (simulated: not your systems)');
    expect(entity({ status: 'pondering' }).fields).toMatchObject({ status: { value: 'pondering' } });
  });

  it('has the root cause and more in its details, in order', () => {
    const view = cardView({ repeats: 3, failure: 'The service gave up.' });
    const { custom_fields: fields = [], display_order: order = [] } = issueDetails(
      view,
      about,
      'The disk is full.',
    ).entity_payload;
    expect(fields.slice(2)).toEqual([
      { key: 'root_cause', label: 'Root cause', type: 'string', value: 'The disk is full.', long: true },
      { key: 'failure', label: 'What went wrong', type: 'string', value: 'The service gave up.', long: true },
      { key: 'repeats', label: 'Fired again', type: 'string', value: '3 times' },
      {
        key: 'alert',
        label: 'Alert',
        type: 'string',
        value: 'Open the alert',
        link: 'https://alerts.example/a?x=1&y=2',
      },
    ]);
    expect(order.slice(-4)).toEqual(['root_cause', 'failure', 'repeats', 'alert']);
  });

  it('is one that Slack’s documents allow, of whatever alert, and mentions nobody', () => {
    fc.assert(
      fc.property(anyCard, fc.option(fc.string()), (view, rootCause) => {
        const details = issueDetails(view, about, rootCause);
        for (const one of [issueEntity(view, about), details])
          expect(readEntity(one)).not.toHaveProperty('faults');
        expect(JSON.stringify(details)).not.toMatch(/<[!@#]/u);
      }),
    );
  });
});
