export interface ReportOptions {
  /** Whether it stays after the operation. Default: it is ephemeral. */
  readonly persistent?: boolean;
  /** Whether it is a warning. Default: information. */
  readonly warning?: boolean;
}

export type Report = (message: string, options?: ReportOptions) => void;
