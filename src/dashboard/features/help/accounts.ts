/** Who signs in how, and what several people have together. */
import type { Topic } from './topic.ts';

export const accounts: readonly Topic[] = [
  {
    id: 'single-sign-on',
    title: 'Single sign-on',
    meaning: [
      '*Sign in with* leads to the identity provider of your institution and back to the page you wanted. No password of yours reaches this server.',
      'An account made this way belongs to you at the provider, not to a name or an e-mail address: your name here follows the provider’s, and an account of this server that has the same name is somebody else’s until its owner links it.',
      'A session ends after the hours that the operator chose (12 unless changed); then the provider is asked again whether you may still come in. Signing out ends the session at the provider too, where it allows that.',
    ],
    advice: [
      'You have an account with a password already: sign in with it and choose *Account*, *Link account*. From then on both ways lead to it.',
      'You are known to the provider and still refused: an administrator has to put you into one of the groups that may use this server.',
      'The provider is away: the sign-in page says so and asks again every few seconds. Administrators come in with `ergodic token`.',
    ],
  },
  {
    id: 'teams',
    title: 'Teams',
    meaning: [
      'What a team owns, every member sees, changes, runs, shares and deletes as an owner does. A run of its workflow is the team’s, and each member is notified when it ends.',
      'Some teams are groups of the identity provider: who is in them changes at each sign-in. Others are made by an administrator on the *Account* page.',
      'A member who leaves loses all of it at once. Workflows of their own that use models or data of the team no longer start.',
    ],
    advice: [
      'Move objects to a team: *Move to team…* in the menu of a row, or the button above selected rows. Shares move along, and a project takes its members with it. The model and the data of a workflow are moved separately; the workflow does not start until they are there.',
      'A list shows what a team owns by *Filter*, *Team*.',
      'Runs move when they are over. What an event or callback is bound to does not move.',
    ],
  },
  {
    id: 'turns',
    title: 'Whose turn it is',
    meaning: [
      'A free core goes to the person or team with the fewest chains at work, so a short run does not wait for somebody else’s thousand. What a team gets is divided among its members in the same way. Programs in Python, R, Julia and JAGS take turns too, each as one chain.',
      'Your own runs go by `priority` under `sampling` (-10 to 10), then as they came. A priority below 0 lets everybody else go first.',
      'Administrators can give a person or a team more weight (twice the weight, twice as many chains at work) or limit the chains at work at once. What you start for a team counts towards your own limit too.',
    ],
    advice: [
      '*Queue* shows what runs and waits, and on which machines. Of other people’s runs it shows their number and progress alone.',
      'A core is free and your run waits: you or the team have reached a limit, or the run asks for a machine (`run_on`) that is busy. Ask an administrator, who sees the limits on that page.',
    ],
  },
];
