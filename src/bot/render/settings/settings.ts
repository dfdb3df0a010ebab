import { cutAtWord } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { channelMention, literal, userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { actions, button, context, type Rendered, section, verbatimSection } from '../rendered.ts';
import { modelMaySee, modelSeesNothing, namedWords } from './naming.ts';

export interface SettingsView {
  channel: string;
  watched: boolean;
  /** Who has agreed that this private channel's issues may be named elsewhere, and when (milliseconds). */
  named?: { by: string; at: number } | null;
  /** The language model that the service uses, and whether it may see what comes from here; `null` for none. */
  model?: { name: string; host: string; maySee: boolean } | null;
  /** It is private, and a member has to agree to that before it can be watched. */
  needsConsent?: boolean;
  suggests: boolean;
  /** Every setting in words; the values are untrusted. */
  settings: readonly { name: string; value: string }[];
  /** What was confirmed of senders, and the same as variables; untrusted. */
  senders?: readonly { name: string; by: string; says: string; variable: string }[];
  /** Where neither the alert nor the channel names one. */
  defaultEnvironment: string;
  /** Who paused filing, and when (milliseconds); `null` while it goes on. */
  paused: { by: string; at: number } | null;
}

const MAX_VALUE = 600;
const MAX_SAID = 600;

/** The answer of `/gumshoe` alone: how alerts are filed in this channel, with a button to change it. */
export function renderSettings(view: SettingsView): Rendered {
  const label = view.watched ? 'Change settings' : 'Watch this channel';
  const style = view.watched ? undefined : 'primary';
  const lines = view.watched ? view.settings.map((one) => line(one, view.defaultEnvironment)) : [];
  const sentence = headline(view);
  return fitMessage({
    text: sentence,
    blocks: [
      section(sentence),
      ...(view.named ? [section(namedWords(view.channel, view.named))] : []),
      ...(view.paused ? [section(pausedWords(view.paused))] : []),
      ...(view.model ? [context(modelWords(view.model))] : []),
      ...(lines.length > 0 ? [verbatimSection(lines.join('\n'))] : []),
      ...(view.senders ?? []).flatMap((one) => [
        section(
          `*Messages of ${literal(one.name)}* (confirmed by ${userMention(one.by)}), for another installation:`,
        ),
        verbatimSection(`${cutAtWord(one.says, MAX_SAID)}\n${one.variable}`),
      ]),
      actions([button(label, actionIds.openSettings, view.channel, style)]),
    ],
  });
}

/** That filing is paused: by whom, since when, and what to do. Safe mrkdwn. */
export function pausedWords({ by, at }: { by: string; at: number }): string {
  return `⏸️ Filing is paused in all channels (by ${userMention(by)}, since ${date(at)}). An admin can run \`/gumshoe resume\`.`;
}

function modelWords(model: NonNullable<SettingsView['model']>): string {
  return model.maySee ? modelMaySee(model) : modelSeesNothing(model);
}

function headline({ channel, watched, suggests, needsConsent = false }: SettingsView): string {
  const where = channelMention(channel);
  if (needsConsent)
    return `I am not watching ${where}: it is private, and a member has to agree first that its issues may be named in answers elsewhere.`;
  if (!watched) return `I am not watching ${where}: alerts are filed here only on request.`;
  return suggests
    ? `I am watching ${where} in suggest mode: each new alert gets a _File it_ button.`
    : `I am watching ${where}: new alerts are filed and investigated.`;
}

function line({ name, value }: { name: string; value: string }, defaultEnvironment: string): string {
  const shown =
    name === 'environment' && value === 'the default' ? `the default, ${defaultEnvironment}` : value;
  return `• ${name}: ${cutAtWord(shown, MAX_VALUE)}`;
}
