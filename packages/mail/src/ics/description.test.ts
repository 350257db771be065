// Descriptions from meeting programs: the user's text stays, the join link is found, and dial-in
// details are removed.
import { describe, expect, test } from 'vitest';
import { findJoinLink, tidyDescription } from './description.ts';

const rule = '_'.repeat(80);

const teams = `Please read the draft before.

${rule}
Microsoft Teams-Besprechung
Nehmen Sie auf Ihrem Computer oder auf der mobilen App teil
Hier klicken, um an der Besprechung teilzunehmen<https://teams.microsoft.com/l/meetup-join/19%3ameeting_x%40thread.v2/0?context=%7b%22Tid%22%3a%221%22%7d>
Besprechungs-ID: 312 456 789 01
Passcode: aB3dE9
Teams herunterladen<https://www.microsoft.com/de-de/microsoft-teams/download-app> | Im Web beitreten<https://www.microsoft.com/microsoft-teams/join-a-meeting>
Oder rufen Sie an (nur Audio)
+49 69 123456789,,987654321#   Germany, Frankfurt am Main
Telefonkonferenz-ID: 987 654 321#
Lokale Nummer suchen<https://dialin.teams.microsoft.com/x?id=1> | PIN zurücksetzen<https://mysettings.lync.com/pstnconferencing>
Weitere Infos<https://aka.ms/JoinTeamsMeeting> | Besprechungsoptionen<https://teams.microsoft.com/meetingOptions/?x=1>
${rule}`;

const zoom = `Agenda: the harvest, and who brings the ladder.

Ada Ames is inviting you to a scheduled Zoom meeting.

Join Zoom Meeting
https://farm.zoom.us/j/81234567890?pwd=abc.1

Meeting ID: 812 3456 7890
Passcode: 123456

---

One tap mobile
+16465550100,,81234567890#,,,,*123456# US (New York)
+16465550101,,81234567890#,,,,*123456# US

---

Dial by your location
• +1 646 555 0100 US (New York)
• +49 69 5050 0000 Germany
Find your local number: https://farm.zoom.us/u/kabc
`;

const meet = `Wir bringen Kuchen mit.

-::~:~::~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~::~:~::-
An Google Meet teilnehmen: https://meet.google.com/abc-defg-hij
Oder per Telefon: (DE) +49 40 8081610000 PIN: 123456789#
Weitere Telefonnummern: https://tel.meet/abc-defg-hij?pin=123&hs=7

Weitere Informationen zu Meet: https://support.google.com/a/users/answer/9282720

Bearbeiten Sie diesen Abschnitt nicht.
-::~:~::~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~:~::~:~::-`;

const webex = `-- Do not delete or change any of the following text. --

When it's time, join your Webex meeting here.

Meeting number (access code): 2345 678 9012
Meeting password: tree7

Join meeting
https://farm.webex.com/farm/j.php?MTID=m0123456789

Tap to join from a mobile device (attendees only)
+1-415-555-0100,,23456789012## US Toll

Join by phone
+1-415-555-0100 US Toll
Global call-in numbers
https://farm.webex.com/farm/globalcallin.php?MTID=m01
Need help? Go to https://help.webex.com
`;

describe('an event description', () => {
  test.each([
    [
      'Teams',
      teams,
      'https://teams.microsoft.com/l/meetup-join/19%3ameeting_x%40thread.v2/0?context=%7b%22Tid%22%3a%221%22%7d',
      'Please read the draft before.\n\nBesprechungs-ID: 312 456 789 01\nPasscode: aB3dE9',
    ],
    [
      'Zoom',
      zoom,
      'https://farm.zoom.us/j/81234567890?pwd=abc.1',
      'Agenda: the harvest, and who brings the ladder.\n\nMeeting ID: 812 3456 7890\nPasscode: 123456',
    ],
    ['Meet', meet, 'https://meet.google.com/abc-defg-hij', 'Wir bringen Kuchen mit.'],
  ])('of %s keeps its own text and the join link', (_, text, link, own) => {
    expect(findJoinLink(text)).toBe(link);
    expect(tidyDescription(text)).toBe(own);
  });

  test('of Webex loses its dial-in numbers', () => {
    expect(findJoinLink(webex)).toBe('https://farm.webex.com/farm/j.php?MTID=m0123456789');
    const own = tidyDescription(webex);
    expect(own).not.toMatch(/\+1|Toll|Global|help|Do not delete/);
    expect(own).toContain('Meeting password: tree7');
  });

  test('yields the join link behind a wrapped link and in markup', () => {
    expect(
      findJoinLink(
        'x <https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fteams.microsoft.com%2Fl%2Fmeetup-join%2F1&data=05>',
      ),
    ).toBe('https://teams.microsoft.com/l/meetup-join/1');
    expect(findJoinLink('<a href="https://meet.google.com/abc-defg-hij?a=1&amp;b=2">Join</a>')).toBe(
      'https://meet.google.com/abc-defg-hij?a=1&b=2',
    );
    expect(findJoinLink('https://meet.google.com.evil.example/abc-defg-hij')).toBeNull();
  });

  test('without a meeting keeps its numbers and loses only separator lines', () => {
    expect(
      tidyDescription('Call +49 30 1234567 if you are late\n________\nDial by your location\n2. Tea'),
    ).toBe('Call +49 30 1234567 if you are late\nDial by your location\n2. Tea');
    expect(
      tidyDescription('We meet at https://farm.zoom.us/j/1 at ten, so please bring your own cake and tea.'),
    ).toBe('We meet at https://farm.zoom.us/j/1 at ten, so please bring your own cake and tea.');
  });
});
