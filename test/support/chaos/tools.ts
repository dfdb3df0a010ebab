import type { PostInput } from 'local-slack';
import { alertmanagerAlert, corpusMessage } from '../alerts.ts';

type Words = Omit<PostInput, 'channel'>;

/** How a monitoring tool says that something fires, and that it is over. */
interface Tool {
  fires(name: string): Words;
  recovers(name: string): Words;
}

function alertmanager(): Tool {
  const fires = (name: string): Words => alertmanagerAlert(name);
  return {
    fires,
    recovers: (name) => replaced(fires(name), { '[FIRING:1]': '[RESOLVED]', '"danger"': '"good"' }),
  };
}

/** Messages of the corpus, made to be about something else. */
function ofCorpus(
  vendor: string,
  firing: string,
  recovered: string,
  other: (name: string) => Record<string, string>,
): Tool {
  const as = (file: string) => (name: string) => replaced(corpusMessage(vendor, file), other(name));
  return { fires: as(firing), recovers: as(recovered) };
}

function replaced(message: Words, words: Record<string, string>): Words {
  let text = JSON.stringify(message);
  for (const [from, to] of Object.entries(words)) text = text.replaceAll(from, to);
  return JSON.parse(text);
}

/** The tools whose alerts the driver posts; a problem is always told by the same one. */
export const tools: readonly Tool[] = [
  alertmanager(),
  ofCorpus('datadog', 'datadog-log-triggered', 'datadog-log-recovered', (name) => ({
    'Error logs high': name,
    '444839': String([...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1e9, 7)),
  })),
];
