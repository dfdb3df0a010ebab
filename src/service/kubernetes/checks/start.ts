import { appOf, type Cluster, isReady, statesOf } from '../cluster.ts';
import { aboutPod, type Check, type Finding, kubectl, named, quote, type Row, rowsIn } from '../finding.ts';
import type { Pod } from '../model.ts';
import { isAlike } from './routing.ts';

/** Why a container does not start. */
export const START: readonly Check[] = [image, configuration, volumes].map(
  (find): Check =>
    (cluster) =>
      settled(cluster).flatMap((pod) => find(cluster, pod)),
);

function settled(cluster: Cluster): Pod[] {
  return cluster.pods.filter(
    (pod) =>
      pod.spec.nodeName !== undefined && pod.metadata.deletionTimestamp === null && cluster.isSettled(pod),
  );
}

const PULLS = rowsIn(String.raw`
image_registry_dns_failure :: the name of its registry cannot be resolved :: no such host|lookup \S+.*(?:server misbehaving|timeout)|dial tcp: lookup
image_registry_certificate_invalid :: the certificate of its registry is not trusted :: x509|certificate
image_registry_rate_limited :: its registry limits how often it is pulled :: toomanyrequests|rate limit|429
node_disk_full :: the disk of the node is full :: no space left
image_platform_mismatch :: it was not built for the platform of the node :: no match for platform|exec format
missing_image_pull_secret :: its registry refuses to hand it out without other credentials :: \b40[13]\b|unauthorized|forbidden|denied|authentication required|no basic auth|failed to authorize
incorrect_image_reference :: its reference is malformed :: invalid reference|couldn't parse|InvalidImageName|could not parse
incorrect_image_reference :: its registry has no such image or tag :: not ?found|manifest unknown|404|does not exist|manifest for
image_registry_unreachable :: its registry cannot be reached :: i\/o timeout|connection refused|deadline exceeded|TLS handshake|connection reset|unreachable|EOF
`);
const PULLING = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
  'ImageInspectError',
]);

function image(cluster: Cluster, pod: Pod): Finding[] {
  return statesOf(pod).flatMap(({ container, state }) => {
    const { waiting } = state.state;
    if (!PULLING.has(waiting?.reason ?? '')) return [];
    const reference = container?.image ?? '';
    const events = cluster.eventsOn('Pod', pod.metadata);
    const failed = events.findLast(
      ({ message }) =>
        /Failed to pull image|InvalidImageName|Failed to apply default image|is not present with pull policy/u.test(
          message,
        ) &&
        (reference === '' || message.includes(reference)),
    );
    const message = failed?.message ?? waiting?.message ?? '';
    // The reference stands in the message, and may say anything.
    const words = reference === '' ? message : message.replaceAll(reference, '');
    const known = PULLS.find(({ pattern }) => pattern.test(words));
    const row = known ?? unknownPull(waiting?.reason ?? '');
    const subject = aboutPod(cluster, pod);
    const secrets = pod.spec.imagePullSecrets.flatMap(({ name }) => name ?? []);
    // Registries deny what does not exist, too: of a repository that others use without a secret, or nearly so.
    const isSlip =
      row.cause === 'missing_image_pull_secret' && secrets.length === 0 && isLikePeers(cluster, reference);
    const cause = isSlip ? 'incorrect_image_reference' : row.cause;
    return {
      ...subject,
      cause,
      sentence: `${named(subject.object.slice(4))} does not start: its image ${named(reference)} cannot be pulled, because ${isSlip ? 'its registry has no such repository, or hides it' : row.explanation}.`,
      evidence: [
        `${waiting?.reason}: ${quote(message === '' ? 'no more was said' : message)}`,
        ...(cause === 'missing_image_pull_secret'
          ? [
              secrets.length === 0
                ? 'the pod names no pull secret'
                : `the pod names the pull secrets ${secrets.map(named).join(', ')}`,
            ]
          : []),
      ],
      confidence: message === '' ? 0.6 : isSlip ? 0.8 : known ? 0.96 : 0.6,
    };
  });
}

/** Whether images that run come from the same place, or from one with nearly the same name. */
function isLikePeers(cluster: Cluster, reference: string): boolean {
  const place = placeOf(reference);
  if (place === OFFICIAL) return true;
  return cluster.pods
    .filter((pod) => isReady(pod) && pod.spec.imagePullSecrets.length === 0)
    .flatMap(({ spec }) =>
      spec.containers.flatMap(({ image: other }) => (other === undefined ? [] : placeOf(other))),
    )
    .some((other) => other === place || isAlike(other, place));
}

const OFFICIAL = 'docker.io/library';

/** `registry/organization` */
function placeOf(reference: string): string {
  const parts = reference.split('/');
  return parts.length === 1 ? OFFICIAL : parts.slice(0, -1).join('/');
}

function unknownPull(reason: string): Pick<Row, 'cause' | 'explanation'> {
  return reason === 'ErrImageNeverPull'
    ? { cause: 'incorrect_image_pull_policy', explanation: 'the node does not have it, and may not pull it' }
    : { cause: 'incorrect_image_reference', explanation: 'its registry does not hand it out' };
}

const CONFIGURATIONS = rowsIn(String.raw`
missing_secret_key :: a Secret that it reads lacks the key :: couldn't find key \S+ in Secret|secret.* key .*not found
missing_secret_binding :: a Secret that it reads does not exist :: secret "[^"]+" not found|secrets? .* not found
missing_config_map_key :: a ConfigMap that it reads lacks the key :: couldn't find key \S+ in ConfigMap
missing_config_map :: a ConfigMap that it reads does not exist :: configmap "[^"]+" not found
run_as_root_refused :: it may not run as root, and its image does :: runAsNonRoot|run as root
oom_killed :: its memory limit is too low to start it :: OOM-killed|memory limit too low|oom
container_port_conflict :: a port that it needs is taken :: address already in use|port is already allocated|host port
container_command_permission_denied :: its command may not be executed :: permission denied
incorrect_container_command :: its command does not exist in the image :: executable file not found|no such file or directory|exec: |exec format error|not a directory
invalid_environment_variable :: a variable of its environment is invalid :: invalid variable|invalid environment
`);
const CONFIGURING = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'StartError',
  'ContainerCannotRun',
  'PostStartHookError',
]);

function configuration(cluster: Cluster, pod: Pod): Finding | [] {
  const states = statesOf(pod);
  const events = cluster.eventsOn('Pod', pod.metadata).filter(cluster.isRecent);
  const stuck = states.find(({ state }) => {
    const { waiting, terminated } = state.state;
    return (
      CONFIGURING.has(waiting?.reason ?? '') ||
      CONFIGURING.has(terminated?.reason ?? '') ||
      (waiting?.reason === 'CrashLoopBackOff' && CONFIGURING.has(state.lastState.terminated?.reason ?? ''))
    );
  });
  const sandbox =
    states.length === 0 || states.every(({ state }) => state.state.waiting?.reason === 'ContainerCreating')
      ? events.findLast(
          ({ reason, message }) =>
            reason === 'FailedCreatePodSandBox' && /OOM-killed|memory limit too low/u.test(message),
        )
      : undefined;
  if (!stuck && !sandbox) return [];
  const state = stuck?.state;
  const failed = events.findLast(
    ({ reason, message }) => reason === 'Failed' && !/ImagePull|pull image/u.test(message),
  );
  const message =
    sandbox?.message ??
    failed?.message ??
    state?.state.waiting?.message ??
    state?.state.terminated?.message ??
    state?.lastState.terminated?.message ??
    '';
  const row = CONFIGURATIONS.find(({ pattern }) => pattern.test(message));
  const subject = aboutPod(cluster, pod);
  const absent = /(?:secret|configmap) "([^"]+)"/iu.exec(message)?.[1];
  const { namespace } = pod.metadata;
  const isThere =
    absent !== undefined &&
    cluster.objects.Secret.some(
      ({ metadata }) => metadata.name === absent && metadata.namespace === namespace,
    );
  return {
    ...subject,
    cause: row?.cause ?? 'container_creation_failed',
    sentence: `${named(subject.object.slice(4))} does not start: ${row?.explanation ?? 'its container cannot be created'}${absent === undefined ? '' : ` (${named(absent)})`}.`,
    evidence: [
      `${sandbox?.reason ?? state?.state.waiting?.reason ?? 'Failed'}: ${quote(message === '' ? 'no more was said' : message)}`,
    ],
    mend: row?.cause === 'missing_secret_binding' ? kubectl`get secrets -n ${namespace}` : subject.mend,
    confidence: row ? (isThere ? 0.6 : 0.96) : 0.55,
  };
}

const MOUNTS = rowsIn(String.raw`
missing_config_map_key :: a key that it mounts does not exist :: references non-existent (?:secret|config) key
missing_secret_binding :: a Secret that it mounts does not exist :: secret "[^"]+" not found
missing_config_map :: a ConfigMap that it mounts does not exist :: configmap "[^"]+" not found
volume_multi_attach :: its volume is still attached to another node :: Multi-Attach
volume_mount_permission_denied :: its volume may not be accessed :: permission denied|access denied|operation not permitted|read-only file system
volume_path_missing :: the path of its volume does not exist :: hostPath type check failed|no such file or directory|does not exist
volume_driver_missing :: the node has no driver for its volume :: driver name \S+ not found|no volume plugin matched
volume_file_system_damaged :: the file system of its volume cannot be read :: wrong fs type|fsck|bad superblock
volume_storage_unreachable :: the storage of its volume cannot be reached :: connection refused|connection timed out|no route to host|unreachable|deadline exceeded
`);

function volumes(cluster: Cluster, pod: Pod): Finding | [] {
  const isWaiting =
    pod.status.phase === 'Pending' &&
    statesOf(pod).every(({ state }) => !state.state.running && state.restartCount === 0);
  if (!isWaiting) return [];
  const events = cluster
    .eventsOn('Pod', pod.metadata)
    .filter(cluster.isRecent)
    .filter(
      ({ reason }) =>
        reason === 'FailedMount' || reason === 'FailedAttachVolume' || reason === 'FailedMapVolume',
    );
  const event =
    events.findLast(({ message }) => MOUNTS.some(({ pattern }) => pattern.test(message))) ?? events.at(-1);
  if (!event) return [];
  const row = MOUNTS.find(({ pattern }) => pattern.test(event.message));
  const subject = aboutPod(cluster, pod);
  const workload = cluster.workloadOf(pod);
  return {
    ...subject,
    cause: row?.cause ?? 'volume_mount_failed',
    sentence: `${named(workload ? appOf(workload) : subject.object.slice(4))} does not start: ${row?.explanation ?? 'its volume cannot be mounted'}.`,
    evidence: [`${event.reason}: ${quote(event.message)}`],
    confidence: row ? 0.94 : 0.7,
  };
}
