/** Reports progress to the user. The message is ephemeral unless it is `persistent`. */
export type Report = (message: string, options?: { readonly persistent?: boolean }) => void;
