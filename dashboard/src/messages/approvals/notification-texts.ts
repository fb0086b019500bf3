// Texts of the service worker, apart from those of pages: it is one file, without imports.

export const notificationTexts = {
  /** Of a message that it cannot read; a browser requires a notification for each. */
  title: 'A request is waiting for you',
} as const
