import type { Workspace } from '../../../src/sandbox/slack/workspace.ts';
import { clientOf } from './support.ts';

/** A Work Object of the type incident, with its buttons; `payload` goes into its `entity_payload`. */
export function incident(ref = 'ref-1', payload: Record<string, unknown> = {}) {
  return {
    entity_type: 'slack#/entities/incident',
    url: `https://gumshoe.example/issues/${ref}`,
    external_ref: { id: ref },
    entity_payload: {
      attributes: {
        title: { text: 'Checkout errors' },
        display_id: '#12',
        metadata_last_modified: 1_764_000_000,
      },
      fields: {
        status: { value: 'Investigating', tag_color: 'yellow' },
        date_created: { value: 1_764_000_000 },
        assigned_to: { type: 'slack#/types/user', user: { user_id: 'U0ALICE001' } },
      },
      custom_fields: [{ key: 'environment', label: 'Environment', type: 'string', value: 'production' }],
      display_order: ['environment', 'status'],
      actions: {
        primary_actions: [
          { text: 'Resolve', action_id: 'resolve', value: 'issue-12', style: 'primary' },
          { text: 'Mute', action_id: 'mute', value: 'issue-12' },
        ],
      },
      ...payload,
    },
  };
}

/** Posts a message of the app's that bears a Work Object, beside other metadata; returns its `ts`. */
export async function postWithEntity(workspace: Workspace, channel: string, entity: object): Promise<string> {
  const metadata = { event_type: 'kept', event_payload: { key: 'k' }, entities: [entity] };
  const body = { channel, text: 'The card', metadata };
  const answer: Record<string, unknown> = {
    ...(await clientOf(workspace).apiCall('chat.postMessage', body)),
  };
  return String(answer.ts);
}
