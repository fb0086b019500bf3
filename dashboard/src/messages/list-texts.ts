// Texts of long lists.
export const listTexts = {
  none: 'Nothing matches. Change the search or the filters.',
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  range: (first: number, last: number, all: number) =>
    `${first.toLocaleString()}–${last.toLocaleString()} of ${all.toLocaleString()}`,
} as const
