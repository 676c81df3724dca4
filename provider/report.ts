/** How a message is shown. */
export interface ReportOptions {
  /** Whether it stays after the operation. Default: it is ephemeral. */
  readonly persistent?: boolean;
  /** Whether it is a warning. Default: information. */
  readonly warning?: boolean;
}

/** Reports to the user. */
export type Report = (message: string, options?: ReportOptions) => void;
