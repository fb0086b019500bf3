// Texts of the command palette.
export const paletteTexts = {
  title: 'Command palette',
  placeholder: 'Search pages, domains and actions',
  pages: 'Pages',
  domains: 'Domains',
  actions: 'Actions',
  search: (name: string) => `Search for “${name}” to buy it`,
  topUp: 'Top up the balance',
  createKey: 'Create API key',
  transferIn: 'Transfer a domain in',
  themes: {
    system: "Use the system's theme",
    light: 'Switch to the light theme',
    dark: 'Switch to the dark theme',
  },
} as const
