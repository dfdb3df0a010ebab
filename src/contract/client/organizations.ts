import type { Organization } from '../../lib/issue-number.ts';
import type { CallReport } from './call-report.ts';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from './client.ts';
import type { KeyVariable } from './errors.ts';
import type { DropReport } from './http.ts';
import { createServices, type Services } from './services.ts';

/** Where the key of each organisation is configured. */
export const keyVariables: Record<Organization, KeyVariable> = {
  default: 'ISSUE_SERVICE_API_KEY',
  private: 'ISSUE_SERVICE_PRIVATE_API_KEY',
};

/** One organisation, and the client with its key. */
interface OfOrganization {
  organization: Organization;
  service: ServiceClient;
}

interface OrganizationOptions
  extends Omit<ServiceClientOptions, 'keyVariable' | 'dispatcher' | 'timeoutMs' | 'onCall' | 'onDropped'> {
  privateApiKey?: string;
  onCall: (call: CallReport, organization: Organization) => void;
  onDropped: (drop: DropReport, organization: Organization) => void;
}

/**
 * A client for each organisation, with a breaker and a guard of its key of its own. Without a key for the private one
 * it has a stand-in that refuses, so that what is left of it says why it waits.
 */
export function createOrganizations({ privateApiKey, onCall, onDropped, ...options }: OrganizationOptions): {
  services: Services;
  organizations: OfOrganization[];
} {
  const client = (organization: Organization, apiKey: string): ServiceClient =>
    createServiceClient({
      ...options,
      apiKey,
      keyVariable: keyVariables[organization],
      onCall: (call) => onCall(call, organization),
      onDropped: (drop) => onDropped(drop, organization),
    });
  const services = createServices({
    default: client('default', options.apiKey),
    private: privateApiKey === undefined ? null : client('private', privateApiKey),
  });
  const of = (organization: Organization): OfOrganization => ({
    organization,
    service: services.for(organization),
  });
  return { services, organizations: [of('default'), of('private')] };
}
