import { isIP } from 'node:net';

const PRIVATE_IP =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0$|::1$|f[cd]|fe80:)/u;
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|lan|localdomain|svc|cluster\.local|consul)$/u;

/**
 * The address that people open in a browser: the one that is configured for them, else the program's own, unless that
 * leads nowhere outside of its network.
 */
export function publicAddress(own: string, configured?: string | undefined): string | null {
  const address = (configured ?? (isInternal(own) ? null : own))?.replace(/\/+$/u, '') ?? null;
  if (address === null) return null;
  const url = new URL(address);
  // Credentials are the program's, and none of whoever reads a link.
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
}

function isInternal(address: string): boolean {
  const host = new URL(address).hostname.replaceAll(/[[\]]/gu, '').toLowerCase();
  return isIP(host) === 0 ? !host.includes('.') || PRIVATE_NAME.test(host) : PRIVATE_IP.test(host);
}
