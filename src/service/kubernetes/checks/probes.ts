import { type Cluster, statesOf } from '../cluster.ts';
import { aboutPod, type Check, type Finding, named, quote } from '../finding.ts';
import type { Container, ContainerStatus, Event, Pod, Probe } from '../model.ts';
import { isLooping, portsIn } from './running.ts';

/** Probes that fail because of what they ask, not because of what they ask it of: by the workload's own probe. */
export const PROBES: readonly Check[] = [
  (cluster) =>
    cluster.pods
      .filter((pod) => pod.metadata.deletionTimestamp === null && cluster.isSettled(pod))
      .flatMap((pod) => failing(cluster, pod)),
];

type Kind = 'liveness' | 'readiness' | 'startup';
const KINDS: readonly Kind[] = ['startup', 'liveness', 'readiness'];

function failing(cluster: Cluster, pod: Pod): Finding[] {
  const events = cluster.eventsOn('Pod', pod.metadata).filter(cluster.isRecent);
  const unhealthy = events.filter(({ reason }) => reason === 'Unhealthy');
  if (unhealthy.length === 0) return waitsTooLong(cluster, pod);
  return statesOf(pod).flatMap(({ state, container: own }) => {
    const container = own && (declared(cluster, pod, own) ?? own);
    if (!container) return [];
    const killed = events.some(({ message }) => message.startsWith(`Container ${state.name} failed`));
    return KINDS.flatMap((kind) => {
      const probe = probeOf(container, kind);
      const failure = unhealthy.findLast(
        (event) =>
          event.message.toLowerCase().startsWith(`${kind} probe`) && concerns(event, probeOf(own, kind), pod),
      );
      if (!probe || !failure || !lasts(cluster, kind, state, failure, killed)) return [];
      return [wrong(cluster, pod, { kind, probe, container, state, event: failure })];
    }).slice(0, 1);
  });
}

const LONG_S = 120;

/** Who is not asked yet is not ready, and nothing is said of it. */
function waitsTooLong(cluster: Cluster, pod: Pod): Finding[] {
  return statesOf(pod).flatMap(({ state, container }) => {
    const delay = container?.readinessProbe?.initialDelaySeconds ?? 0;
    const { running } = state.state;
    if (!running || state.ready === true || delay < LONG_S || cluster.ageOf(running.startedAt) > delay * 1000)
      return [];
    const subject = aboutPod(cluster, pod);
    return {
      ...subject,
      cause: 'readiness_probe_incorrect_timing',
      sentence: `${named(subject.object.slice(4))} is not ready: its readiness probe first asks after ${delay} seconds.`,
      evidence: [`initialDelaySeconds is ${delay}`],
      confidence: 0.75,
    };
  });
}

/** The probe as it was written: a sidecar's injector has the pod's own ask the sidecar. */
function declared(cluster: Cluster, pod: Pod, { name }: Container): Container | undefined {
  return cluster.workloadOf(pod)?.spec.template.spec.containers.find((one) => one.name === name);
}

function probeOf(container: Container, kind: Kind): Probe | null {
  return {
    liveness: container.livenessProbe,
    readiness: container.readinessProbe,
    startup: container.startupProbe,
  }[kind];
}

/** Whether the event speaks of this container's probe: of its port, where it names one. */
function concerns({ message }: Event, probe: Probe | null, pod: Pod): boolean {
  const asked = /\d+\.\d+\.\d+\.\d+:(\d+)/u.exec(message)?.[1];
  const port = portOf(probe);
  return (
    asked === undefined ||
    port === undefined ||
    !/^\d+$/u.test(String(port)) ||
    String(port) === asked ||
    pod.spec.containers.length === 1
  );
}

function portOf(probe: Probe | null): number | string | undefined {
  return probe?.httpGet?.port ?? probe?.tcpSocket?.port ?? probe?.grpc?.port;
}

/** Probes fail while things start, and that is over: what counts is who is not ready, or was killed, now. */
function lasts(
  cluster: Cluster,
  kind: Kind,
  state: ContainerStatus,
  { last }: Event,
  killed: boolean,
): boolean {
  const isFresh = cluster.ageOf(last) <= 120_000 || state.state.waiting?.reason === 'CrashLoopBackOff';
  if (kind === 'readiness') return state.ready !== true && isFresh && state.state.running !== null;
  return killed && state.restartCount > 0 && (isFresh || isLooping(cluster, state));
}

interface Failing {
  kind: Kind;
  probe: Probe;
  container: Container;
  state: ContainerStatus;
  event: Event;
}

const PROTOCOLS =
  /malformed HTTP response|server gave HTTP response to HTTPS|first record does not look like a TLS|error reading server preface|frame too large|unknown service grpc\.health|Unimplemented|http2: |tls: |HTTP\/1\.x transport connection broken/iu;

function wrong(cluster: Cluster, pod: Pod, failing: Failing): Finding {
  const { kind, probe, container, event } = failing;
  const subject = aboutPod(cluster, pod);
  const { what, explanation, confidence } = mistake(failing);
  const asks = describeProbe(probe);
  return {
    ...subject,
    cause: `${kind}_probe_${what}`,
    sentence: `${named(subject.object.slice(4))} ${kind === 'readiness' ? 'is not ready' : 'is restarted again and again'}: its ${kind} probe ${explanation}.`,
    evidence: [
      `Unhealthy: ${quote(event.message)}`,
      `the ${kind} probe of ${named(container.name)} asks ${asks}; its ports are ${named(portsIn(container).join(', ') || 'not declared')}`,
    ],
    confidence,
  };
}

function describeProbe({ httpGet, tcpSocket, grpc, exec }: Probe): string {
  if (httpGet)
    return named(
      `${(httpGet.scheme ?? 'HTTP').toLowerCase()} ${httpGet.path ?? '/'} on ${httpGet.port ?? ''}`,
    );
  if (grpc) return named(`grpc on ${grpc.port ?? ''}`);
  if (tcpSocket) return named(`tcp on ${tcpSocket.port ?? ''}`);
  return named(exec?.command.join(' ') ?? '');
}

function mistake({ kind, probe, container, event, state }: Failing) {
  const { message } = event;
  const because = (what: string, explanation: string, confidence: number) => ({
    what,
    explanation,
    confidence,
  });
  const port = portOf(probe);
  const ports = portsIn(container);
  const names = container.ports.map(({ name }) => name);
  if (typeof port === 'string' && !/^\d+$/u.test(port) && !names.includes(port))
    return because('incorrect_port', `asks a port that the container does not name (${named(port)})`, 0.95);
  const others = KINDS.filter((one) => one !== kind)
    .map((one) => probeOf(container, one))
    .filter((one) => one !== null);
  if (typeof port === 'number' && ports.length > 0 && !ports.includes(port))
    return because(
      'incorrect_port',
      `asks port ${port}, on which the container does not listen`,
      others.some((one) => portOf(one) === port) ? 0.75 : 0.94,
    );
  if (PROTOCOLS.test(message))
    return because('incorrect_protocol', 'asks in a protocol that the container does not speak', 0.95);
  if (/statuscode: (?:404|405|400|403|401|30\d)/u.test(message))
    return because('incorrect_path', 'asks a path that the container does not answer', 0.9);
  if (/statuscode: 5\d\d/u.test(message)) return because('failing', 'is answered with an error', 0.5);
  if (probe.exec && /not found|no such file/iu.test(message))
    return because('incorrect_command', 'runs a command that the container does not have', 0.9);
  const sibling = others.find((one) => portOf(one) === port);
  const differs = sibling !== undefined && protocolOf(sibling) !== protocolOf(probe);
  if (differs && state.state.running)
    return because('incorrect_protocol', 'asks in another protocol than its other probe', 0.85);
  // The time that it gives to a container until it counts as dead.
  const grace =
    (probe.initialDelaySeconds ?? 0) + (probe.periodSeconds ?? 10) * (probe.failureThreshold ?? 3);
  const lived = (state.lastState.terminated?.finishedAt ?? 0) - (state.lastState.terminated?.startedAt ?? 0);
  if (kind !== 'readiness' && (grace <= 15 || (lived > 0 && lived <= (grace + 15) * 1000 && grace < 30)))
    return because(
      'incorrect_timing',
      `gives it ${grace} seconds to answer, and it takes longer`,
      grace <= 15 ? 0.9 : 0.7,
    );
  if ((probe.timeoutSeconds ?? 1) <= 1 && /deadline exceeded|timeout/iu.test(message))
    return because('incorrect_timing', 'does not wait as long as its answer takes', 0.6);
  if (/connection refused/iu.test(message) && state.state.running && state.restartCount === 0)
    return because('incorrect_port', `asks port ${port ?? ''}, where nothing listens`, 0.6);
  return because('failing', 'fails', 0.45);
}

function protocolOf({ httpGet, grpc, tcpSocket }: Probe): string {
  return httpGet ? `http${(httpGet.scheme ?? '').toLowerCase()}` : grpc ? 'grpc' : tcpSocket ? 'tcp' : 'exec';
}
