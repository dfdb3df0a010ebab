import { workloadOf } from '../details.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import type { MessageContent } from '../message.ts';
import { plainText, toDescription, toErrorMessage, toTitle, withoutMarkup } from '../slack-text.ts';
import { type Alert, emptyAlert } from '../types.ts';

const CRASHED = /\bPod `([^`\n]{1,253})` in `([^`\n]{1,253})` Crashed\b/u;
const NODE = /\bNode `([^`\n]{1,253})` is (Not Ready|Ready)\b/u;

/** kubewatch's events of Kubernetes objects. */
export const kubewatch: Format = { name: 'kubewatch', tool: 'kubewatch', extract };

/** A sentence in a field called `kubewatch`. A pod that crashes and a node that is not ready are all it has of alerts. */
function extract({ person, attachments }: MessageContent): Alert | null {
  if (person) return null;
  const field = attachments.flatMap(({ fields }) => fields).find(({ title }) => title === 'kubewatch');
  if (field === undefined) return null;
  const lines = withoutMarkup(plainText(field.value)).split('\n');
  const title = toTitle((lines[0] ?? '').replace(/ ?: ?$/u, ''));
  const base = { ...emptyAlert('kubewatch'), title };
  const details = {
    description: toDescription(field.value, title),
    errorMessage: toErrorMessage(lines.slice(1).join('\n')),
  };

  const [, node, state] = NODE.exec(field.value) ?? [];
  if (node !== undefined)
    return {
      ...base,
      ...details,
      kind: state === 'Ready' ? 'resolved' : 'firing',
      host: node,
      fingerprint: fingerprintOf('kubewatch', 'node', node),
    };
  const [, pod, namespace] = CRASHED.exec(field.value) ?? [];
  if (pod === undefined || namespace === undefined) return base;
  return {
    ...base,
    ...details,
    kind: 'firing',
    errorType: /\bCrashLoopBackOff\b/u.exec(field.value)?.[0] ?? null,
    tags: [`namespace:${namespace}`, `pod:${pod}`],
    fingerprint: fingerprintOf('kubewatch', 'pod', namespace, workloadOf(pod)),
  };
}
