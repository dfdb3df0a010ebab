import type { Service, ServiceKind, Workload } from '../model.ts';
import { comparableName } from '../same-name.ts';
import { POD_SUFFIX, SCRAPED, type ServiceLabels } from './promql.ts';

type Labels = Readonly<Record<string, string>>;

/** A service's name according to some labels. */
export interface Identity {
  name: string;
  /** Empty if unknown. */
  namespace: string;
}

/**
 * Merges a service's names from several conventions: those that are equal once stripped, in namespaces that do not
 * conflict, and those seen on the same pods.
 */
export class Naming {
  readonly #services = new Map<string, Known>();
  readonly #byName = new Map<string, Known[]>();
  /** `null` if several share an address. */
  readonly #addresses = new Map<string, Identity | null>();

  /** Records what is at an address (`10.0.4.2:8080`): calls to that address are calls to it. */
  isAt(address: string, identity: Identity): void {
    const host = hostOf(address);
    // Exporters run next to what they report on, and the address of a probe is what it asks.
    if (host === '' || OWN_MACHINE.test(address) || address.includes('://') || REPORTS.test(identity.name))
      return;
    const other = this.#addresses.get(host);
    const isSame = other === undefined || other?.name === identity.name;
    this.#addresses.set(host, isSame ? identity : null);
  }

  /**
   * Merges `ledger.grid` and `ledger.internal.example.org`, as callers and probes may write it, with the service
   * `ledger`: what follows is its namespace, or says that it is inside.
   */
  joinHosts(): void {
    for (const { name, namespace: own } of [...this.#services.values()]) {
      const [host = '', ...domain] = name.split('.');
      if (domain.length === 0) continue;
      const isInside = domain.some((label) => INSIDE.test(label));
      const found = this.#byName
        .get(comparableName(host))
        ?.find(({ kind, namespace }) => kind !== 'external' && (isInside || domain[0] === namespace));
      if (found) this.join({ name: found.name, namespace: found.namespace }, { name, namespace: own });
    }
  }

  /** The service that labels name, added if it is new; `null` if they name none. */
  service(labels: Labels, place: ServiceLabels): string | null {
    const identity = identityOf(labels, place);
    if (identity === null) return null;
    return this.#find(identity, place.kind).name;
  }

  /** The same for one end of an edge; anything but our own services is external. */
  end(labels: Labels, candidates: readonly string[]): string | null {
    if (candidates === SCRAPED.labels) return this.service(labels, SCRAPED);
    const raw = candidates
      .map((label) => labels[label] ?? '')
      .find((value) => value !== '' && value !== 'unknown' && !OWN_MACHINE.test(value));
    if (raw === undefined || raw === 'user') return null;
    const identity = this.#addresses.get(hostOf(raw)) ?? parseName(raw);
    const isOutside = /\.[a-z]{2,}(?::\d+)?$/iu.test(raw) && !/\.svc(?:\.|$|:)/u.test(raw);
    return this.#find(identity, kindIn(labels) ?? (isOutside ? 'external' : 'unknown')).name;
  }

  /** Two identities were seen on the same pods. */
  join(a: Identity, b: Identity): void {
    const first = this.#find(a, 'service');
    const second = this.#find(b, 'service');
    if (first === second) return;
    for (const alias of second.aliases) first.aliases.add(alias);
    first.aliases.add(second.name);
    for (const instance of second.instances) first.instances.add(instance);
    first.namespace ||= second.namespace;
    first.workload ??= second.workload;
    this.#services.delete(second.name);
    for (const [name, all] of this.#byName)
      this.#byName.set(
        name,
        all.map((one) => (one === second ? first : one)),
      );
  }

  /** Records a service's workload, so that commands can name it. */
  runs(identity: Identity, workload: Workload): void {
    const found = this.#lookUp(identity);
    if (found) found.workload ??= workload;
  }

  /** Records the pods or addresses of a service's instances. */
  has(identity: Identity, ...instances: readonly string[]): void {
    const found = this.#lookUp(identity);
    for (const instance of instances) if (instance !== '') found?.instances.add(instance);
  }

  services(): Service[] {
    return [...this.#services.values()].map(({ name, kind, aliases, workload, instances }) => ({
      name,
      kind,
      aliases: [...aliases].filter((alias) => alias !== name),
      workload,
      instances: [...instances],
    }));
  }

  #lookUp({ name, namespace }: Identity): Known | undefined {
    return this.#byName
      .get(comparableName(name))
      ?.find((one) => one.namespace === '' || namespace === '' || one.namespace === namespace);
  }

  #find(identity: Identity, kind: ServiceKind): Known {
    const found = this.#lookUp(identity);
    if (found) {
      found.aliases.add(identity.name);
      found.namespace ||= identity.namespace;
      if (found.kind === 'unknown') found.kind = kind;
      return found;
    }
    const isTaken = this.#services.has(identity.name);
    const made: Known = {
      // Services in two namespaces may have the same name.
      name: isTaken ? `${identity.namespace}/${identity.name}` : identity.name,
      namespace: identity.namespace,
      kind,
      aliases: new Set(),
      instances: new Set(),
      workload: null,
    };
    this.#services.set(made.name, made);
    const key = comparableName(identity.name);
    this.#byName.set(key, [...(this.#byName.get(key) ?? []), made]);
    return made;
  }
}

/** Jobs that report on others. */
const REPORTS = /exporter|blackbox|probe|^node$/iu;
/** Labels of domains that are not reached from outside. */
const INSIDE = /^(?:internal|intern|local|lan|intranet|corp|cluster|svc|consul|private)$/iu;

/** What kind of thing is called, if the labels of a call say so; a virtual node sends no spans, whatever it is. */
function kindIn({
  connection_type: type,
  db_system_name: named,
  db_system: system,
}: Labels): ServiceKind | null {
  const database = named || system;
  if (database) return /redis|valkey|memcache/iu.test(database) ? 'cache' : 'database';
  return type === 'database' ? 'database' : type === 'messaging_system' ? 'queue' : null;
}

interface Known {
  name: string;
  namespace: string;
  kind: ServiceKind;
  aliases: Set<string>;
  instances: Set<string>;
  workload: Workload | null;
}

export function scrapedIdentity(labels: Labels): Identity | null {
  return identityIn(labels, SCRAPED.labels, SCRAPED.namespace);
}

/** The same for a place. A workload stated next to a job is more specific than the job, which scrapes many. */
function identityOf(labels: Labels, place: ServiceLabels): Identity | null {
  const identity = identityIn(labels, place.labels, place.namespace);
  if (identity === null) return null;
  const workload = labels.workload ?? '';
  if (workload !== '') return { ...identity, name: workload };
  const address = place.address?.map((label) => labels[label] ?? '').find((value) => value !== '');
  if (address === undefined || !KIND_ALONE.test(identity.name)) return identity;
  const at = parseName(address);
  return ADDRESS_ALONE.test(at.name) ? identity : { ...at, namespace: at.namespace || identity.namespace };
}

/** Job names that say what kind of thing is scraped, but not which one. */
const KIND_ALONE =
  /exporter|^(?:postgres(?:ql)?|pg|redis|valkey|mysql|mariadb|mongo(?:db)?|memcached|(?:data)?(?:base|store)s?|caches?|dbs?)$/iu;
/** Hosts that do not name a service. */
const ADDRESS_ALONE = /^[\d.]+$|^\[|^localhost$|exporter/iu;

/** An address of the machine itself, which names nothing that runs there. */
const OWN_MACHINE =
  /^(?:\w+:\/\/)?(?:[^/@]*@)?(?:localhost(?:\.localdomain)?|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1\]?)(?::\d+)?(?:\/|$)/iu;

function hostOf(address: string): string {
  return address.replace(/^\w+:\/\//u, '').replace(/[:/]\d*.*$/u, '');
}

function identityIn(
  labels: Labels,
  names: readonly string[],
  namespaces: readonly string[],
): Identity | null {
  const raw = names
    .map((label) => labels[label] ?? '')
    .find((value) => value !== '' && !OWN_MACHINE.test(value));
  if (raw === undefined) return null;
  const parsed = parseName(raw);
  const namespace = namespaces.map((label) => labels[label] ?? '').find((value) => value !== '');
  return { name: parsed.name, namespace: namespace ?? parsed.namespace };
}

/**
 * A name without the decorations of conventions: `outbound|80||cart.shop.svc.cluster.local`, `shop/cart`, `cart:8080`.
 */
function parseName(raw: string): Identity {
  const host = (raw.split('|').at(-1) ?? raw)
    .replace(/^\w+:\/\/(?:[^/@]*@)?([^/]+).*$/u, '$1')
    .replace(/@[\w-]+$/u, '')
    .replace(/:\d+$/u, '');
  const inCluster = /^([\w-]+)\.([\w-]+)\.svc(?:\.|$)/u.exec(host);
  if (inCluster) return { name: inCluster[1] ?? host, namespace: inCluster[2] ?? '' };
  const path = /^([\w-]+)\/([\w.-]+)$/u.exec(host);
  if (path) return { name: path[2] ?? host, namespace: path[1] ?? '' };
  const kubernetes = /^\/k8s\/([\w-]+)\/([\w.-]+)/u.exec(host);
  if (kubernetes) return { name: withoutPodSuffix(kubernetes[2] ?? host), namespace: kubernetes[1] ?? '' };
  return { name: host === '' ? raw : host, namespace: '' };
}

/** A pod's name without its controller's suffix. */
export function withoutPodSuffix(pod: string): string {
  return SUFFIXED.exec(pod)?.[1] ?? pod;
}

const SUFFIXED = new RegExp(`^(.+?)(?:${POD_SUFFIX})$`, 'u');
