import type { BlockAction, RespondFn, ViewSubmitAction } from '@slack/bolt';
import { z } from 'zod';
import { issueIdOf } from '../../../filing/reference.ts';
import { actionIds } from '../../../render/action-ids.ts';
import { cameTooLate, windowIsStale } from '../../../render/notices.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { isNamedElsewhere, namingModal } from '../../../render/settings/naming.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { allowNaming } from '../../../settings/change-settings.ts';
import { settingsRefused } from '../../access/settings-access.ts';
import type { Subcommand } from '../../commands/command.ts';
import type { ListenerDeps, Register } from '../../listening/deps.ts';
import { readModalState } from '../../listening/modal-state.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';
import { settingsView } from './settings-modal.ts';

/** `next`: what the modal shows once somebody has agreed. */
const Metadata = z.object({ channel: z.string(), next: z.enum(['settings', 'done']) });

/** `/gumshoe naming`: lets a private channel's issues be named in answers elsewhere. */
export const naming: Subcommand = {
  example: 'naming',
  does: 'lets this private channel’s issues be named in answers elsewhere; asks first',
  run: openNaming,
};

/** The modal that asks a channel's member whether its issues may be named elsewhere. */
export function namingView(
  channel: string,
  next: z.infer<typeof Metadata>['next'],
  { store }: Pick<ListenerDeps, 'store'>,
) {
  const reach = store.hasPrivateOrganization ? 'private' : 'anywhere';
  return namingModal(channel, { reach, metadata: JSON.stringify({ channel, next }) });
}

async function openNaming(
  {
    userId,
    channel,
    triggerId,
    respond,
  }: { userId: string; channel: string; triggerId: string; respond: RespondFn },
  deps: ListenerDeps,
): Promise<void> {
  const refused = await settingsRefused(userId, channel, deps);
  if (refused) return tellPerson(respond, refused, deps);
  const { isPrivate, settings } = await deps.store.channels.get(channel);
  const agreed = settings.namedElsewhere;
  if (agreed !== undefined) return tellPerson(respond, isNamedElsewhere(channel, agreed), deps);
  if (!isPrivate) return tellPerson(respond, PUBLIC, deps);
  await openModal(triggerId, namingView(channel, 'done', deps), respond, deps);
}

const PUBLIC = {
  text: 'This channel is public: its issues may be named anywhere.',
  blocks: [],
};

/** The button below *needs consent*, in whatever place it was shown. */
export const openNamingAction: Register = (app, deps) => {
  app.action<BlockAction>(
    { type: 'block_actions', action_id: actionIds.openNaming },
    async ({ ack, body, respond }) => {
      await ack();
      const channel = body.channel?.id;
      const [action] = body.actions;
      // The button is in its own channel; a value that names another channel is forged.
      const isOurs = action !== undefined && 'value' in action && action.value === channel;
      if (channel === undefined || !isOurs) return tellPerson(respond, cameTooLate(), deps);
      await openNaming({ userId: body.user.id, channel, triggerId: body.trigger_id, respond }, deps);
    },
  );
};

/** Somebody agreed. Rights are checked again: the modal's state can be forged, and its person may have left. */
export const agree: Register = (app, deps) => {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: viewIds.naming },
    async ({ ack, body, view }) => {
      const metadata = readModalState(Metadata, view.private_metadata);
      if (metadata === null) return ack({ response_action: 'update', view: sentenceModal(windowIsStale()) });
      const { channel, next } = metadata;
      const refused = await settingsRefused(body.user.id, channel, deps);
      if (refused) return ack({ response_action: 'update', view: sentenceModal(refused) });
      const cause = issueIdOf('naming', view.id);
      const by = body.user.id;
      await deps.store.transaction((tx) => allowNaming(tx, { cause, channel, by, now: deps.clock.now() }));
      if (next === 'settings') {
        await ack({ response_action: 'update', view: await settingsView(channel, deps) });
      } else {
        await ack();
      }
      await deps.blockers.channelChanged(channel);
    },
  );
};
