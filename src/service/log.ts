/** The service's log for its operator; compatible with pino. */
export interface ServiceLog {
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}
