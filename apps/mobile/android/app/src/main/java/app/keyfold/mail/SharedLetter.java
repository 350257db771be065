package app.keyfold.mail;

import android.content.Intent;
import android.net.Uri;
import android.os.Parcelable;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns what another program shares into an address that the web client opens as a letter:
 * keyfold-share://letter?to=…&cc=…&bcc=…&subject=…&text=…&file=content://…
 *
 * The page reads files through Capacitor from their owner; no copy is made, and no name that another program gave touches
 * the disk. Nobody but this class makes such an address: one that comes from outside is dropped, or a web page could name
 * files that this program alone may read.
 */
final class SharedLetter {

    static final String SCHEME = "keyfold-share";

    /** More than any letter holds; what is longer is cut. */
    private static final int MAX_CHARACTERS = 100_000;
    private static final int MAX_FILES = 100;

    private SharedLetter() {}

    /** The same intent, or one that says the same with an address. */
    static Intent toAddress(Intent intent, String ownPackage) {
        String action = intent.getAction();
        if (isOurs(intent.getData())) return new Intent(Intent.ACTION_MAIN);
        if (Intent.ACTION_SENDTO.equals(action)) return new Intent(intent).setAction(Intent.ACTION_VIEW);
        if (!Intent.ACTION_SEND.equals(action) && !Intent.ACTION_SEND_MULTIPLE.equals(action)) return intent;

        Uri.Builder address = new Uri.Builder().scheme(SCHEME).authority("letter");
        addAll(address, "to", intent.getStringArrayExtra(Intent.EXTRA_EMAIL));
        addAll(address, "cc", intent.getStringArrayExtra(Intent.EXTRA_CC));
        addAll(address, "bcc", intent.getStringArrayExtra(Intent.EXTRA_BCC));
        add(address, "subject", intent.getCharSequenceExtra(Intent.EXTRA_SUBJECT));
        add(address, "text", intent.getCharSequenceExtra(Intent.EXTRA_TEXT));
        for (Uri file : filesOf(intent, action)) {
            if (isReadable(file, ownPackage)) address.appendQueryParameter("file", file.toString());
        }
        return new Intent(Intent.ACTION_VIEW, address.build()).addFlags(intent.getFlags());
    }

    /**
     * Whether the page could read an address as one that this class made. It sees the whole text, and its parser skips blanks
     * and control characters before the scheme and in it; a Uri that another program took apart names its scheme as it likes.
     */
    private static boolean isOurs(Uri address) {
        if (address == null) return false;
        String text = address.toString().replaceAll("[\\x00-\\x20]", "");
        return text.regionMatches(true, 0, SCHEME + ":", 0, SCHEME.length() + 1);
    }

    private static List<Uri> filesOf(Intent intent, String action) {
        List<Uri> files = new ArrayList<>();
        if (Intent.ACTION_SEND.equals(action)) {
            Parcelable file = intent.getParcelableExtra(Intent.EXTRA_STREAM);
            if (file instanceof Uri) files.add((Uri) file);
            return files;
        }
        ArrayList<Parcelable> given = intent.getParcelableArrayListExtra(Intent.EXTRA_STREAM);
        if (given == null) return files;
        for (Parcelable file : given) {
            if (file instanceof Uri && files.size() < MAX_FILES) files.add((Uri) file);
        }
        return files;
    }

    /** Whether a file is another program's to give: never a path, never one of our own. */
    private static boolean isReadable(Uri file, String ownPackage) {
        String authority = file.getAuthority();
        if (!"content".equals(file.getScheme()) || authority == null) return false;
        // An authority may name a user of the device before the program: 10@com.example.files
        String owner = authority.substring(authority.lastIndexOf('@') + 1);
        return !owner.startsWith(ownPackage);
    }

    private static void add(Uri.Builder address, String name, CharSequence value) {
        if (value == null) return;
        String text = value.toString();
        if (text.isEmpty()) return;
        address.appendQueryParameter(name, text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) : text);
    }

    private static void addAll(Uri.Builder address, String name, String[] values) {
        if (values == null) return;
        for (String value : values) add(address, name, value);
    }
}
