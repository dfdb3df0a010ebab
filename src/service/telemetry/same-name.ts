import type { Service } from './model.ts';

/** A normalized service name for lookups across sources and conventions, which differ in case and separators. */
export function comparableName(name: string): string {
  return name.toLowerCase().replaceAll(/[_.\s]+/gu, '-');
}

/** What Kubernetes and people add to a name for each copy: `-7d9f8b6c5d-x2x4z`, `-0`. */
const COPY = /(?:-[0-9a-f]{6,10}-[0-9a-z]{5}|-\d+)$/u;

/** `pg-main` of `pg-main-1.prod.internal:9187`. */
function withoutCopy(address: string): string {
  const host = address.replace(/^\w+:\/\/|^[^/@]*[/@]/u, '').replace(/[:/].*$/su, '');
  const [first = ''] = /^[\d.]+$/u.test(host) ? [host] : host.split('.');
  return comparableName(first).replace(COPY, '');
}

/** Whether an address or a name is what others call by that name, or a copy of it. */
export function isCopyOf(address: string, name: string): boolean {
  return [comparableName(address), withoutCopy(address)].includes(comparableName(name));
}

/**
 * The services that are copies of what a change calls by one name: `pg-main-1` and `pg-main-2` of `pg-main`, and what is
 * else known only by the addresses of such copies. None if something is known by the name itself.
 */
export function copiesOf(name: string, services: readonly Service[]): string[] {
  const own = comparableName(name);
  const names = (service: Service) => [service.name, ...service.aliases];
  if (services.some((service) => names(service).some((one) => comparableName(one) === own))) return [];
  const isCopy = (address: string) => withoutCopy(address) === own;
  const named = services.filter((service) => names(service).some(isCopy));
  const addressed = services.filter(({ instances = [] }) => instances.length > 0 && instances.every(isCopy));
  return (named.length > 0 ? named : addressed).map((service) => service.name);
}
