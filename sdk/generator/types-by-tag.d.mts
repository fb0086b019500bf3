/** The files by their paths below the folder of the client. */
export function typesByTag(text: string, document: object): Record<string, string>
