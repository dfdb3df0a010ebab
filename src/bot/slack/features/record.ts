import type { Deps } from '../../deps.ts';
import { sayOf } from '../../record/keep.ts';
import { fateOf, recordOf } from '../../record/record.ts';
import type { actionIds } from '../../render/action-ids.ts';
import { notReadable } from '../../render/digest/digest-modal.ts';
import { needsChannel } from '../../render/issues/steering-notices.ts';
import { recordKept, recordTaken, renderRecord, usageRecord } from '../../render/record/record.ts';
import { issueNumber } from '../../shared/issue-number.ts';
import type { Judged, Said } from '../../store/verdicts.ts';
import { channelNamed, type Subcommand } from '../commands/command.ts';
import type { Feature, Register } from '../listening/feature.ts';
import { onIssueAction } from '../listening/issue-actions.ts';
import { notifyPerson } from '../listening/notify.ts';

/** What is shown of the verdicts of some channels; the misses come first. */
async function recordIn(channels: readonly string[], { store, permalink }: Deps) {
  const verdicts = channels.length === 0 ? [] : await store.verdicts.inChannels(channels, 0);
  const missOf = (one: Judged) => {
    const { fate, source } = fateOf(one);
    const { channel, title, shown: confidence, threadTs, at, organization, number } = one;
    const url = threadTs === null ? null : permalink(channel, threadTs);
    const name = issueNumber({ number, organization });
    return fate === 'wrong' ? [{ number: name, title, confidence, source, at, url }] : [];
  };
  return { lines: recordOf(verdicts), misses: verdicts.flatMap(missOf) };
}

const recordSubcommand: Subcommand = {
  example: 'record',
  does: 'shows how often my verdicts in this channel were right, misses first; `record all` covers every channel you can read',
  run: async ({ words, channel: here, userId, respond }, deps) => {
    const isAll = words.toLowerCase() === 'all';
    const channel = words === '' ? here : channelNamed(words);
    if (!isAll && channel === undefined) return notifyPerson(respond, usageRecord(), deps);
    if (!isAll && channel?.startsWith('D')) return notifyPerson(respond, needsChannel(), deps);
    const watched = isAll ? await deps.store.channels.watched() : [];
    const wanted = isAll ? watched.map((one) => one.channel) : [channel ?? here];
    const readable: string[] = [];
    for (const one of wanted)
      if (await deps.mayRead({ person: userId }, { channel: one })) readable.push(one);
    if (!isAll && readable.length === 0) return notifyPerson(respond, notReadable(), deps);
    const place = isAll ? { channels: readable.length } : { channel: readable[0] ?? '' };
    const record = await recordIn(readable, deps);
    await notifyPerson(respond, renderRecord({ ...record, place, simulated: deps.simulated }), deps);
  },
};

/** A press below *Was the root cause right?*: the first counts, and nobody is asked again. */
function saying(name: keyof typeof actionIds, said: Said): Register {
  return onIssueAction(name, async ({ issue, userId: by, respond }, deps) => {
    const at = deps.clock.now();
    const isFirst = await deps.store.transaction((tx) => sayOf(tx, { issueId: issue.id, said, by, at }));
    await notifyPerson(respond, isFirst ? recordKept() : recordTaken(), deps);
  });
}

export const record: Feature = {
  subcommands: { record: recordSubcommand },
  actions: {
    saidYes: saying('saidYes', 'yes'),
    saidNearly: saying('saidNearly', 'nearly'),
    saidNo: saying('saidNo', 'no'),
    saidOther: saying('saidOther', 'other'),
  },
};
