/** Where the service writes what its operator must know; a pino logger is one. */
export interface ServiceLog {
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}
