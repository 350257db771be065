import UIKit
import Capacitor
import UserNotifications

/// Starts the program, keeps its files out of backups, hands the word about notifications on to Capacitor, and takes those away whose mail was read elsewhere.
@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    var window: UIWindow?

    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        keepOutOfBackups()
        return true
    }

    /// Nothing of a mailbox goes into a backup, in iCloud or on a computer: what the page keeps (mail for times without a
    /// connection, searches), and files that other programs shared. The mark is set at each start, since it goes with the folder.
    private func keepOutOfBackups() {
        let files = FileManager.default
        let documents = files.urls(for: .documentDirectory, in: .userDomainMask)
        let library = files.urls(for: .libraryDirectory, in: .userDomainMask)
        for folder in documents + library.map({ $0.appendingPathComponent("WebKit", isDirectory: true) }) {
            var place = folder
            var mark = URLResourceValues()
            mark.isExcludedFromBackup = true
            try? files.createDirectory(at: place, withIntermediateDirectories: true)
            try? place.setResourceValues(mark)
        }
    }

    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
        NotificationCenter.default.post(name: .capacitorDidRegisterForRemoteNotifications, object: deviceToken)
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error) {
        NotificationCenter.default.post(name: .capacitorDidFailToRegisterForRemoteNotifications, object: error)
    }

    /// A notification is named by its mail. The answer comes after the removal, or the system would put the program to sleep first.
    func application(_ application: UIApplication,
                     didReceiveRemoteNotification userInfo: [AnyHashable: Any],
                     fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void) {
        guard userInfo["type"] as? String == "read", let id = userInfo["id"] as? String else {
            completionHandler(.noData)
            return
        }
        if let unread = userInfo["badge"] as? Int {
            application.applicationIconBadgeNumber = max(0, unread)
        }
        let center = UNUserNotificationCenter.current()
        center.removeDeliveredNotifications(withIdentifiers: [id])
        center.getDeliveredNotifications { _ in
            DispatchQueue.main.async { completionHandler(.newData) }
        }
    }

    func application(_ application: UIApplication,
                     configurationForConnecting connectingSceneSession: UISceneSession,
                     options: UIScene.ConnectionOptions) -> UISceneConfiguration {
        let config = UISceneConfiguration(name: "Default Configuration",
                                          sessionRole: connectingSceneSession.role)
        config.delegateClass = SceneDelegate.self
        return config
    }
}
