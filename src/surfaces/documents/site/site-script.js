// Progressive enhancement of the documentation: the theme of the dashboard, tabs that remember the
// language, buttons that copy, and the filter of the navigation.
const chosen_theme = localStorage.getItem('theme')
if (chosen_theme === 'light' || chosen_theme === 'dark')
  document.documentElement.dataset.theme = chosen_theme

const language_key = 'docs-language'
let made = 0

/** Adds one tab for each language to a group of samples (ARIA Authoring Practices, tabs). */
function addTabs(group) {
  const panels = [...group.querySelectorAll('.code')]
  if (panels.length < 2) return
  const list = document.createElement('div')
  list.className = 'tabs'
  const tabs = document.createElement('div')
  tabs.setAttribute('role', 'tablist')
  tabs.setAttribute('aria-label', 'Language of the example')
  for (const panel of panels) {
    made += 1
    const label = panel.querySelector('.caption').textContent
    const tab = document.createElement('button')
    tab.type = 'button'
    tab.id = `tab-${made}`
    tab.textContent = label
    tab.setAttribute('role', 'tab')
    tab.setAttribute('aria-controls', `panel-${made}`)
    tab.addEventListener('click', () => chooseLanguage(label, tab))
    panel.id = `panel-${made}`
    panel.dataset.language = label
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', tab.id)
    tabs.append(tab)
  }
  tabs.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const all = [...tabs.children]
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length]
    chooseLanguage(next.textContent, next)
    next.focus()
    event.preventDefault()
  })
  list.append(
    tabs,
    copyButton(() => panels.find((panel) => !panel.hidden)),
  )
  group.prepend(list)
  group.classList.add('tabbed')
}

/** Chooses the language in every group of the page. `tab` stays where it is on the screen. */
function chooseLanguage(language, tab) {
  const before = tab?.getBoundingClientRect().top
  for (const group of document.querySelectorAll('.samples.tabbed')) {
    const panels = [...group.querySelectorAll('.code')]
    const shown = panels.find((panel) => panel.dataset.language === language) ?? panels[0]
    for (const panel of panels) panel.hidden = panel !== shown
    for (const one of group.querySelectorAll('[role="tab"]')) {
      const isChosen = one.getAttribute('aria-controls') === shown.id
      one.setAttribute('aria-selected', String(isChosen))
      one.tabIndex = isChosen ? 0 : -1
    }
  }
  if (tab === undefined) return
  localStorage.setItem(language_key, language)
  scrollBy(0, tab.getBoundingClientRect().top - before)
}

function copyButton(figure) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(figure().querySelector('code').textContent)
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Not allowed'
    }
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2_000)
  })
  return button
}

/** Hides the links without the typed words, and opens the groups of the others. */
function addFilter(navigation) {
  const label = navigation.querySelector('.filter')
  const input = label.querySelector('input')
  const groups = [...navigation.querySelectorAll('details')]
  const opened = groups.map((group) => group.open)
  label.hidden = false
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const fits = (text) => words.every((word) => text.toLowerCase().includes(word))
    for (const item of navigation.querySelectorAll('li')) {
      const title = item.querySelector('summary, a').textContent
      const area = item.parentElement.closest('details')?.querySelector('summary').textContent ?? ''
      item.hidden = !fits(`${area} ${title.replaceAll('_', ' ')} ${title}`)
    }
    for (const [place, group] of groups.entries()) {
      const found = [...group.querySelectorAll('li')].some((item) => !item.hidden)
      if (found) group.closest('li').hidden = false
      group.open = words.length === 0 ? opened[place] : found
    }
    for (const group of navigation.querySelectorAll('.group'))
      group.hidden = [...group.querySelectorAll('li')].every((item) => item.hidden)
    const isFound = navigation.querySelector('.group:not([hidden])') !== null
    navigation.querySelector('.none').hidden = isFound
  })
}

/** Marks in the navigation the section that is being read, or the page above the first section. */
function markReading(navigation) {
  const page = navigation.querySelector('[aria-current]')
  const here = [...navigation.querySelectorAll('a')].filter(
    ({ pathname, hash }) => pathname === location.pathname && hash !== '',
  )
  const sections = here.map((link) => ({
    link,
    heading: document.getElementById(link.hash.slice(1)),
  }))
  let marked = page
  const mark = () => {
    const limit = innerHeight / 3
    const isRead = ({ heading }) => heading.getBoundingClientRect().top < limit
    const link = sections.findLast(isRead)?.link ?? page
    if (link === marked) return
    marked.removeAttribute('aria-current')
    link.setAttribute('aria-current', link === page ? 'page' : 'location')
    marked = link
    const { top, bottom } = link.getBoundingClientRect()
    const frame = navigation.getBoundingClientRect()
    if (top < frame.top || bottom > frame.bottom)
      navigation.scrollTop += top - frame.top - frame.height / 3
  }
  if (page === null || sections.length === 0) return
  addEventListener('scroll', mark, { passive: true })
  mark()
}

document.addEventListener('DOMContentLoaded', () => {
  for (const group of document.querySelectorAll('.samples')) addTabs(group)
  for (const figure of document.querySelectorAll('.code:not(.tabbed .code)'))
    figure.querySelector('.caption').append(copyButton(() => figure))
  chooseLanguage(localStorage.getItem(language_key) ?? 'curl')
  // Samples above the place of an anchor have become shorter.
  if (location.hash.length > 1) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  const navigation = document.getElementById('navigation')
  addFilter(navigation)
  navigation.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  markReading(navigation)
  navigation.addEventListener('click', (event) => {
    if (event.target.closest('a') && navigation.matches(':popover-open')) navigation.hidePopover()
  })
})
