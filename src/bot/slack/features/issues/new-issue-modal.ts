import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { canonicalEnvironment } from '../../../alerts/identity.ts';
import type { InvestigateWords } from '../../../filing/request.ts';
import { type NewIssueForm, newIssueModal } from '../../../render/issues/new-issue.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { CHANNEL_ID } from '../../listening/event-schema.ts';
import { readModalState } from '../../listening/modal-state.ts';

/** How many of the environments used before are offered. */
const OFFERED = 20;
const NOTHING = { severity: null, environment: null, service: null };

/** The modal's state: the channel it was opened in, if any, and whether *More context* was pressed. */
const Metadata = z.object({ channel: z.string().regex(CHANNEL_ID).nullable(), unfolded: z.boolean() });
type Metadata = z.infer<typeof Metadata>;

type Deps = Pick<ListenerDeps, 'store' | 'defaultEnvironment' | 'simulated'>;

/** The state of our new-issue modal; `null` if it is not one. */
export function readNewIssueMetadata(text: string): Metadata | null {
  return readModalState(Metadata, text);
}

/**
 * The new-issue modal, empty except for the environment and the given values.
 *
 * @param given values to fill in
 * @param channel where the card goes by default; `null` if it was not opened in a channel (shortcut, Home)
 */
export async function newIssueView(
  channel: string | null,
  deps: Deps,
  given: Pick<InvestigateWords, 'severity' | 'environment' | 'service'> = NOTHING,
): Promise<ModalView> {
  const { settings } = await deps.store.channels.get(channel ?? '');
  const form: NewIssueForm = {
    texts: { service: given.service ?? '' },
    severity: given.severity ?? 'medium',
    environment: canonicalEnvironment(given.environment ?? settings.environment ?? deps.defaultEnvironment),
    triggeredAt: null,
    // Only ids that begin with C are certain to be in the channel picker.
    channel: channel?.startsWith('C') === true ? channel : null,
  };
  return newIssueViewOf(form, { channel, unfolded: false }, deps);
}

/** The same modal with what was typed so far. */
export async function newIssueViewOf(form: NewIssueForm, metadata: Metadata, deps: Deps): Promise<ModalView> {
  const used = await deps.store.issues.environmentsUsed(OFFERED);
  return newIssueModal({
    form,
    environments: [...new Set([canonicalEnvironment(deps.defaultEnvironment), ...used])],
    unfolded: metadata.unfolded,
    hasPlace: metadata.channel !== null,
    metadata: JSON.stringify(metadata),
    simulated: deps.simulated,
  });
}
